import type { Standing } from './limits.js';

/**
 * Tells where a client stands in the header fields of draft-ietf-httpapi-ratelimit-headers-10: the limits that the
 * request counted against, r: how much is left, t: seconds until it begins again, q: how much there is in w seconds.
 */
export function rateHeaders(standings: readonly Standing[]): Record<string, string> {
  let left = '';
  let policy = '';
  for (const { name, limit, used, window } of standings) {
    if (window === undefined) continue;
    const separator = left === '' ? '' : ', ';
    left += `${separator}"${name}";r=${Math.max(0, limit - used)};t=${Math.ceil(window.remainingMs / 1000)}`;
    policy += `${separator}"${name}";q=${limit};w=${window.lengthMs / 1000}`;
  }
  return left === '' ? {} : { ratelimit: left, 'ratelimit-policy': policy };
}
