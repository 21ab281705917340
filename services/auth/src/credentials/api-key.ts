import { CredentialKind } from '@cadastre/proto/registry';
import type { Context } from '../context.js';
import { type ApiKeyRecord, accepts, parseCredential } from '../domain/api-key.js';
import { endsSoon } from '../domain/expiry.js';
import { messages } from '../domain/messages.js';
import { startOfMinute } from '../domain/minute.js';
import { findApiKey, noteUse } from '../store/api-keys.js';
import { type Finding, rejected } from './finding.js';

/** Checks the value of "Authorization: Basic", which holds an API key. */
export async function checkApiKey(context: Context, basic: string): Promise<Finding> {
  const credential = parseCredential(basic);
  if (!credential) return rejected;
  const record = await findApiKey(context.pool, credential.id);
  const now = context.now();
  if (!accepts(record, credential, context.audience, now)) return rejected;
  await noteUseThisMinute(context, record, now);
  return {
    accepted: {
      credentials: [CredentialKind.CREDENTIAL_KIND_API_KEY],
      accountId: record.accountId,
      accountName: record.accountName,
      apiKeyId: record.id,
      maintainers: record.maintainer === '' ? [] : [record.maintainer],
    },
    warnings: endsSoon(record.expires, now) ? [messages.endsSoon(record.id, record.expires)] : [],
  };
}

/** Written at most once a minute; a failure is not the caller's. */
async function noteUseThisMinute({ pool, logger }: Context, record: ApiKeyRecord, now: Date): Promise<void> {
  const minute = startOfMinute(now);
  if (record.lastUsed && record.lastUsed >= minute) return;
  try {
    await noteUse(pool, record.id, minute);
  } catch (error) {
    logger.warn({ err: error, apiKeyId: record.id }, 'the use of an API key could not be noted');
  }
}
