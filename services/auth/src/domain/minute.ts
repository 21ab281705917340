const minuteMs = 60_000;

/** The minute a time is in: uses are noted no finer, so that they are written at most once a minute. */
export function startOfMinute(time: Date): Date {
  return new Date(Math.floor(time.getTime() / minuteMs) * minuteMs);
}
