import { ServiceError } from '@cadastre/service';

const maxClaims = 100;
const maxListed = 1_000;
const maxSettled = 1_000;
const maxLeaseSeconds = 3_600;

/** How many to claim, and the end of the lease. Throws a ServiceError for a lease of another length. */
export function leaseOf(
  { limit, leaseSeconds }: { readonly limit: number; readonly leaseSeconds: number },
  now: Date,
): { readonly limit: number; readonly now: Date; readonly leaseEnd: Date } {
  if (leaseSeconds < 1 || leaseSeconds > maxLeaseSeconds) {
    throw new ServiceError('invalid', `The lease must be 1 to ${maxLeaseSeconds} seconds`);
  }
  return { limit: pageSize(limit, maxClaims), now, leaseEnd: secondsAfter(now, leaseSeconds) };
}

/** Throws a ServiceError when these are more than one call may name. */
export function requireFew(items: readonly unknown[]): void {
  if (items.length > maxSettled) throw new ServiceError('invalid', `At most ${maxSettled} in one call`);
}

export function secondsAfter(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}

/** Size of a page; a limit of 0 means the maximum. */
export function pageSize(limit: number, max = maxListed): number {
  return limit === 0 ? max : Math.min(limit, max);
}
