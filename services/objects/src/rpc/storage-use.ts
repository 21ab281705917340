import type { ObjectWriterServiceService, StorageUse } from '@cadastre/proto/objects';
import { duringCall, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { type Charge, endOfDay, isLimited, payerOfDay, payingMntner } from '../domain/storage-quota.js';
import { loadStorageUse } from '../store/storage-use.js';
import { principalOf } from './requested.js';

const maxMntners = 1000;
/** Longer than any IP address. */
const maxClientAddressLength = 64;
const anonymous = { accountId: '', accountName: '' };

type Writer = Handlers<typeof ObjectWriterServiceService>;

export function getStorageUse(context: Pick<Context, 'readPool' | 'storageQuota' | 'clock'>): Writer['getStorageUse'] {
  return async ({ principal, clientAddress, mntners: names }, call) => {
    if (names.length > maxMntners) throw new ServiceError('invalid', `At most ${maxMntners} mntners in one call`);
    const { storageQuota: quota } = context;
    const caller = {
      principal: principalOf(principal) ?? anonymous,
      clientAddress: clientAddress.slice(0, maxClientAddressLength),
    };
    const today = payerOfDay(caller, quota, context.clock());
    const mntners = names.map((name) => payingMntner(name, quota)).filter(isLimited);
    const used = await loadStorageUse(duringCall(context.readPool, call), [today, ...mntners].filter(isLimited));
    const shown = (payer: typeof today) => storageUse({ payer, bytes: used.get(payer.id) ?? 0 });
    return {
      ...(isLimited(today) && { today: shown(today) }),
      mntners: Object.fromEntries(mntners.map((payer) => [payer.name, shown(payer)])),
    };
  };
}

/** What a payer has stored, in the form of the contract. */
export function storageUse({ payer: { limit, day }, bytes }: Charge): StorageUse {
  return { used: BigInt(bytes), limit: BigInt(limit), ...(day && { resets: endOfDay(day) }) };
}
