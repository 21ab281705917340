const minute = 60;
const hour = 60 * minute;

/** Pauses after the first failed attempts, in seconds; then one attempt an hour. */
const firstPauses = [10, minute, 5 * minute, 30 * minute];
const hourlyAttempts = 48;

/** Seconds until the next attempt after this number of failures; undefined: give up, after two days. */
export function pauseAfter(attempts: number): number | undefined {
  if (attempts <= firstPauses.length) return firstPauses[attempts - 1];
  return attempts <= firstPauses.length + hourlyAttempts ? hour : undefined;
}
