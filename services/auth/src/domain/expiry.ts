const noticeDays = 14;
const dayMs = 86_400_000;

/** The last moment at which a key made now may end: the same date a year later (29 February: 1 March). */
export function latestExpiry(now: Date): Date {
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + 1);
  return latest;
}

/** Whether an expiry lies in the future and at most a year ahead (decision W13). */
export function isAllowedExpiry(expires: Date, now: Date): boolean {
  return expires > now && expires <= latestExpiry(now);
}

/** Whether the owner of a key should be told that it ends soon. */
export function endsSoon(expires: Date, now: Date): boolean {
  return expires.getTime() - now.getTime() <= noticeDays * dayMs;
}
