import { timeText } from '@cadastre/changes';
import { CommandFailure } from '../failure.js';

/** Parses a time. Throws a CommandFailure that names the option. */
export function parseTime(option: string, text: string): Date {
  const iso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;
  const time = new Date(text);
  if (iso.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new CommandFailure(`${option}: "${text}" is not an ISO 8601 time such as 2027-01-31 or 2027-01-31T12:00:00Z`);
}

/** Formats a time to the second, in UTC; a hyphen for none. */
export function shownTime(time: Date | undefined): string {
  return time === undefined ? '-' : timeText(time);
}
