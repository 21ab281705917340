import type { ApiKey } from '@cadastre/client';

const soonMs = 30 * 24 * 60 * 60 * 1000;

/** The keys that expire within 30 days, the first one first; not those that are revoked or have expired. */
export function expiringKeys(keys: readonly ApiKey[], now: number): readonly ApiKey[] {
  return keys
    .filter(({ expires, revoked }) => revoked === undefined && isSoon(Date.parse(expires) - now))
    .toSorted((a, b) => Date.parse(a.expires) - Date.parse(b.expires));
}

function isSoon(leftMs: number): boolean {
  return leftMs > 0 && leftMs <= soonMs;
}
