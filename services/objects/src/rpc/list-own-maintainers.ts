import type { ObjectReaderServiceService } from '@cadastre/proto/objects';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { authenticates } from '../domain/authenticate.js';
import { findMntnersOf } from '../store/accounts-mntners.js';
import { principalOf } from './convert-principal.js';
import { parseStored, shownKey } from './registry-object.js';

const maxMaintainers = 1000;

export function listOwnMaintainers(
  context: Context,
): Handlers<typeof ObjectReaderServiceService>['listOwnMaintainers'] {
  return async ({ principal: wire }) => {
    const principal = principalOf(wire);
    const accounts = [principal?.accountId, principal?.accountName].filter((one) => one !== undefined && one !== '');
    if (principal === undefined || accounts.length === 0) throw new ServiceError('invalid', 'An account is required');
    const candidates = await findMntnersOf(context.readPool, accounts as string[], maxMaintainers + 1);
    const own = candidates.slice(0, maxMaintainers).flatMap((stored) => {
      const object = parseStored(stored);
      const source = context.sources.all.find(({ id }) => id === stored.sourceId);
      if (source?.kind !== 'main' || !authenticates(object, principal, new Map())) return [];
      return [{ source: source.name, type: stored.type, key: shownKey(object, stored) }];
    });
    return { maintainers: own, incomplete: candidates.length > maxMaintainers };
  };
}
