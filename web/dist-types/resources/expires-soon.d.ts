import type { ApiKey } from '@cadastre/client';
/** The keys that expire within 30 days, the first one first; not those that are revoked or have expired. */
export declare function expiringKeys(keys: readonly ApiKey[], now: number): readonly ApiKey[];
