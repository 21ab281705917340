import type { ObjectReaderServiceService } from '@cadastre/proto/objects';
import type { ObjectKey, Principal as WirePrincipal } from '@cadastre/proto/registry';
import { shownKey } from '@cadastre/rpsl';
import { type Call, duringCall, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { authenticates } from '../domain/authenticate.js';
import { findMntnersOf } from '../store/objects.js';
import { certificateText, findKeyCertsBy, subkeyText } from '../store/references.js';
import { parseStored } from '../store/stored-object.js';
import { unlessUnreadable } from './registry-object.js';
import { principalOf, requireSource } from './requested.js';

const maxMaintainers = 1000;

export function listOwnMaintainers(
  context: Context,
): Handlers<typeof ObjectReaderServiceService>['listOwnMaintainers'] {
  return ({ principal }, call) => ownMaintainers(context, principal, call);
}

/** The mntners of the main source for which a caller may act. Throws a ServiceError 'invalid' without an account. */
export async function ownMaintainers(
  context: Context,
  wire: WirePrincipal | undefined,
  call: Call,
): Promise<{ maintainers: ObjectKey[]; incomplete: boolean }> {
  const principal = principalOf(wire);
  const accounts = [principal?.accountId, principal?.accountName].filter((one) => one !== undefined && one !== '');
  if (principal === undefined || accounts.length === 0) throw new ServiceError('invalid', 'An account is required');
  const db = duringCall(context.readPool, call);
  const candidates = await findMntnersOf(db, accounts as string[], maxMaintainers + 1);
  const own = candidates.slice(0, maxMaintainers).flatMap((stored) => {
    const source = context.sources.all.find(({ id }) => id === stored.sourceId);
    if (source?.kind !== 'main') return [];
    const object = unlessUnreadable(context, source, stored, call, () => parseStored(stored));
    if (object === undefined || !authenticates(object, principal, new Map())) return [];
    return [{ source: source.name, type: stored.type, key: shownKey(object, stored.key) }];
  });
  return { maintainers: own, incomplete: candidates.length > maxMaintainers };
}

const maxIds = 20;
const maxNames = 20;

export function findKeyCerts(context: Context): Handlers<typeof ObjectReaderServiceService>['findKeyCerts'] {
  return async ({ source, pgpSubkeyIds, certificateFingerprints }, call) => {
    const { id } = source === '' ? context.sources.main : requireSource(context.sources, source);
    const count = pgpSubkeyIds.length + certificateFingerprints.length;
    if (count === 0 || count > maxIds) throw new ServiceError('invalid', `1 to ${maxIds} identifiers in one call`);
    if (!pgpSubkeyIds.every((one) => /^[0-9a-f]{16}$/i.test(one))) {
      throw new ServiceError('invalid', 'An identifier has 16 hexadecimal digits');
    }
    if (!certificateFingerprints.every((one) => /^[0-9a-f]{64}$/i.test(one))) {
      throw new ServiceError('invalid', 'A fingerprint has 64 hexadecimal digits');
    }
    const texts = [
      ...pgpSubkeyIds.map((one) => subkeyText(one.toLowerCase())),
      ...certificateFingerprints.map((one) => certificateText(one.toLowerCase())),
    ];
    const found = await findKeyCertsBy(duringCall(context.readPool, call), id, texts, maxNames);
    return { names: found.map((stored) => shownKey(parseStored(stored), stored.key)) };
  };
}
