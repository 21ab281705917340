import type { Standing } from './limits.js';

/**
 * Tells where a client stands in the header fields of draft-ietf-httpapi-ratelimit-headers-10: the limits that the
 * request counted against, r: how much is left, t: seconds until it begins again, q: how much there is in w seconds.
 */
export function rateHeaders(standings: readonly Standing[]): Record<string, string> {
  const told = standings.flatMap(({ name, limit, used, window }) => {
    if (window === undefined) return [];
    const left = `"${name}";r=${Math.max(0, limit - used)};t=${Math.ceil(window.remainingMs / 1000)}`;
    return [{ left, policy: `"${name}";q=${limit};w=${window.lengthMs / 1000}` }];
  });
  if (told.length === 0) return {};
  return {
    ratelimit: told.map(({ left }) => left).join(', '),
    'ratelimit-policy': told.map(({ policy }) => policy).join(', '),
  };
}
