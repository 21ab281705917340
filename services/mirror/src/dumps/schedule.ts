const dayMs = 24 * 3_600_000;

/** Milliseconds from midnight to a time "HH:MM"; undefined for anything else. */
export function timeOfDay(text: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? undefined : (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** Whether to write a dump: there is none, or its time of day has come since the last one began. */
export function isDumpDue(began: Date | undefined, time: string, now: Date): boolean {
  return began === undefined || began.getTime() < lastTime(time, now);
}

/** The last moment, not after now, with this time of day (UTC). */
function lastTime(time: string, now: Date): number {
  const offset = timeOfDay(time)!;
  return Math.floor((now.getTime() - offset) / dayMs) * dayMs + offset;
}
