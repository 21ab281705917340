/** The past of a page: a moment (a serial, a date or a time), or a version. Parameters of its address. */
export type Past = Moment | { readonly version: string };

/** A moment of the whole registry, which the links of a page preserve. */
export type Moment = { readonly 'as-of': string };

/** The past that an address names; undefined for the present. */
export function pastOf(query: URLSearchParams): Past | undefined {
  const version = query.get('version');
  return momentOf(query.get('as-of')) ?? (version ? { version } : undefined);
}

/** The moment that a parameter `as-of` names; undefined for none. */
export function momentOf(asOf: string | null | undefined): Moment | undefined {
  return asOf ? { 'as-of': asOf } : undefined;
}

/** The moment of a past; versions have none, and the present neither. */
export function momentOfPast(past: Past | undefined): Moment | undefined {
  return past && 'as-of' in past ? past : undefined;
}

/** A past for people: `2026-01-02 03:04 UTC`, `serial 4711`, `version 3`. */
export function pastText(past: Past): string {
  if ('version' in past) return `version ${past.version}`;
  const asOf = past['as-of'];
  return /^\d+$/.test(asOf) ? `serial ${asOf}` : timeText(asOf);
}

/** A time (ISO 8601) to the second in UTC, without seconds that are 0; other texts unchanged. */
export function timeText(time: string): string {
  const date = dateOf(time);
  if (date === undefined) return time;
  const [day, clock = ''] = date.toISOString().split('T');
  return `${day} ${clock.replace(/(:00)?\.000Z$|Z$/, '')} UTC`;
}

/** The value of an `<input type="datetime-local">` for a moment, in UTC; empty for a serial. */
export function inputOfMoment(asOf: string): string {
  return dateOf(asOf)?.toISOString().slice(0, 19) ?? '';
}

/** The moment in such an input; empty for none. */
export function momentOfInput(value: string): string {
  if (value === '') return '';
  return /T\d\d:\d\d$/.test(value) ? `${value}:00Z` : `${value}Z`;
}

/** A date, or a time with its offset. A plus sign that was not encoded is a space. */
function dateOf(text: string): Date | undefined {
  const isKnown = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+ -]\d\d:\d\d))?$/i.test(text);
  const date = new Date(isKnown ? text.replace(' ', '+').toUpperCase() : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
