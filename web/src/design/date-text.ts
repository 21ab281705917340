const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** An instant (ISO 8601) for people, in UTC; what is no instant as it is. */
export function dateText(instant: string): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? instant : `${format.format(date)} UTC`;
}
