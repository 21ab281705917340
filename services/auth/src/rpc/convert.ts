import type { ApiKey } from '@cadastre/proto/auth';
import type { ApiKeyRecord } from '../domain/api-key.js';

/** A stored key as it is told: nothing of its secret. */
export function toApiKey(record: ApiKeyRecord): ApiKey {
  return {
    id: record.id,
    name: record.name,
    accountName: record.accountName,
    created: record.created,
    expires: record.expires,
    revoked: record.revoked,
    lastUsed: record.lastUsed,
    maintainer: record.maintainer,
  };
}
