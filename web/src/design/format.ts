/** A number for people: "1,232". */
export function numberText(value: number): string {
  return value.toLocaleString('en');
}

/** A number with its noun: "1 object", "2,000 objects". */
export function amount(count: number, singular: string, more = `${singular}s`): string {
  return `${numberText(count)} ${count === 1 ? singular : more}`;
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** A number of bytes, rounded: "850 bytes", "1.2 MB", "50 MB". */
export function bytes(count: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(count) / 3)));
  const value = (count / 1000 ** power).toLocaleString('en', { maximumSignificantDigits: 3 });
  return `${value} ${units[power]}`;
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Formats a time (ISO 8601) in UTC; returns other texts unchanged. */
export function dateText(instant: string): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? instant : `${dateFormat.format(date)} UTC`;
}
