import { type Message, type RpslObject, valuesOf } from '@cadastre/rpsl';
import { type Caller, networkOf, type Principal } from './authenticate.js';
import { findCandidates, maintainedState, writtenKey } from './authorisation/strategy.js';
import type { Change } from './change.js';
import type { Outcome } from './decide.js';
import type { Facts } from './facts.js';
import type { Policy } from './policy.js';
import { proves } from './prove.js';
import { requestMessages } from './request-messages.js';

/** Maximum bytes of stored object texts; infinity: no limit, and nothing is counted. */
export interface StorageQuota {
  /** By an account, or by a client without one, in a day (UTC). */
  readonly perDay: number;
  /** By a mntner in all, with the history of its objects. */
  readonly perMntner: number;
  /** Others for single accounts (`account:NAME`) and mntners (`mntner:NAME`), in lower case. */
  readonly overrides: ReadonlyMap<string, number>;
}

/** No bounds. */
export const unlimitedStorage: StorageQuota = { perDay: Infinity, perMntner: Infinity, overrides: new Map() };

/** Who is charged for what a write stores, and the limit. */
export interface Payer {
  /** `account:SUBJECT`, `address:ADDRESS` or `mntner:KEY`. */
  readonly id: string;
  /** For messages. */
  readonly name: string;
  /** Midnight UTC of the day that counts; undefined: all days count together. */
  readonly day: Date | undefined;
  /** Bytes; infinity for none. */
  readonly limit: number;
}

/** Bytes that are charged to a payer, stored or about to be. */
export interface Charge {
  readonly payer: Payer;
  readonly bytes: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * The payer of what a caller stores in a day: the account; without one the IPv4 address, or the /64 of the IPv6
 * address.
 */
export function payerOfDay({ principal, clientAddress }: Caller, quota: StorageQuota, now: Date): Payer {
  const day = new Date(Math.floor(now.getTime() / dayMs) * dayMs);
  const { accountId, accountName } = principal;
  if (accountId === '') {
    return { id: `address:${networkOf(clientAddress, 64)}`, name: clientAddress, day, limit: quota.perDay };
  }
  const limit = quota.overrides.get(`account:${accountName.toLowerCase()}`) ?? quota.perDay;
  return { id: `account:${accountId}`, name: accountName, day, limit };
}

/** When the count of a day is reset. */
export function endOfDay(day: Date): Date {
  return new Date(day.getTime() + dayMs);
}

/** The mntner as the payer of all that it stores. */
export function payingMntner(name: string, quota: StorageQuota): Payer {
  const id = `mntner:${name.toLowerCase()}`;
  return { id, name, day: undefined, limit: quota.overrides.get(id) ?? quota.perMntner };
}

/** Whether a payer has a limit. */
export function isLimited({ limit }: Payer): boolean {
  return limit !== Infinity;
}

/** Everyone who may have to pay for one of these objects, each once. */
export function possiblePayers(
  objects: readonly { readonly object: RpslObject; readonly stored: RpslObject | undefined }[],
  caller: Caller,
  quota: StorageQuota,
  now: Date,
): Payer[] {
  if (objects.length === 0) return [];
  const names = objects.flatMap(({ object, stored }) => maintainersOf({ action: 'modify', object, stored }));
  const mntners = names.map((name) => payingMntner(name, quota));
  const payers = new Map([payerOfDay(caller, quota, now), ...mntners].map((payer) => [payer.id, payer]));
  return [...payers.values()].filter(isLimited);
}

function maintainersOf(change: Parameters<typeof maintainedState>[0]): string[] {
  return valuesOf(maintainedState(change), 'mnt-by');
}

/**
 * Who pays for the text that a granted change stores: the caller for the day, and the mntner that the caller proved to
 * be, never another one that the object names. What the registry operator stores is free.
 */
export function payersOf(
  change: Change,
  facts: Facts,
  caller: Caller & { readonly principal: Principal },
  { quota, policy, now }: { readonly quota: StorageQuota; readonly policy: Policy; readonly now: Date },
): Payer[] {
  const candidates = findCandidates(facts, maintainersOf(change));
  const mntner = candidates.find((one) => proves(one, facts, caller.principal));
  const name = mntner === undefined ? undefined : writtenKey(mntner).toUpperCase();
  if (policy.operatorMaintainers.some((operator) => operator.toUpperCase() === name)) return [];
  const payers = [payerOfDay(caller, quota, now), ...(name === undefined ? [] : [payingMntner(name, quota)])];
  return payers.filter(isLimited);
}

/** Why a change may not be stored. */
interface QuotaRefusal {
  readonly outcome: Extract<Outcome, 'day-quota' | 'mntner-quota'>;
  readonly message: Message;
}

/**
 * Adds up what the changes of a write store. Each entry of the result is the refusal of its change, if any. `used` is
 * what each payer, by ID, has stored so far.
 */
export function checkQuotas(
  changes: readonly { readonly payers: readonly Payer[]; readonly bytes: number }[],
  used: ReadonlyMap<string, number>,
): { readonly refusals: readonly (QuotaRefusal | undefined)[]; readonly charges: readonly Charge[] } {
  const charges = new Map<string, Charge>();
  const refusals = changes.map(({ payers, bytes }) => {
    const exceeded = payers.find((payer) => {
      const total = (charges.get(payer.id)?.bytes ?? 0) + bytes;
      charges.set(payer.id, { payer, bytes: total });
      return (used.get(payer.id) ?? 0) + total > payer.limit;
    });
    return exceeded && refusalOf(exceeded, used.get(exceeded.id) ?? 0, charges.get(exceeded.id)!.bytes);
  });
  return { refusals, charges: [...charges.values()].filter(({ bytes }) => bytes > 0) };
}

function refusalOf({ name, day, limit }: Payer, used: number, bytes: number): QuotaRefusal {
  return day === undefined
    ? { outcome: 'mntner-quota', message: requestMessages.mntnerQuota(name, limit, used, bytes) }
    : { outcome: 'day-quota', message: requestMessages.dayQuota(name, limit, used, bytes) };
}
