const minute = 60;
const hour = 60 * minute;

/** Pauses between the attempts to deliver one event, in seconds: 75 hours and 35 minutes together. */
const pauses = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];

/** The maximum pause. */
export const maxPause = 24 * hour;

/** Seconds until the next attempt after this number of failures, up to a fifth more or less; undefined: give up. */
export function pauseAfter(failures: number, random: () => number = Math.random): number | undefined {
  const seconds = pauses[failures - 1];
  return seconds && Math.round(seconds * (0.8 + 0.4 * random()));
}
