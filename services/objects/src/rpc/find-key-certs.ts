import type { ObjectReaderServiceService } from '@cadastre/proto/objects';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { findBySubkey } from '../store/references.js';
import { parseStored, shownKey } from './registry-object.js';
import { requireSource } from './requested.js';

const maxIds = 20;
const maxNames = 20;

export function findKeyCerts(context: Context): Handlers<typeof ObjectReaderServiceService>['findKeyCerts'] {
  return async ({ source, pgpSubkeyIds }) => {
    const { id } = requireSource(context.sources, source);
    if (pgpSubkeyIds.length === 0 || pgpSubkeyIds.length > maxIds) {
      throw new ServiceError('invalid', `1 to ${maxIds} identifiers in one call`);
    }
    if (!pgpSubkeyIds.every((one) => /^[0-9a-f]{16}$/i.test(one))) {
      throw new ServiceError('invalid', 'An identifier has 16 hexadecimal digits');
    }
    const ids = pgpSubkeyIds.map((one) => one.toLowerCase());
    const found = await findBySubkey(context.readPool, id, ids, maxNames);
    return { names: found.map((stored) => shownKey(parseStored(stored), stored)) };
  };
}
