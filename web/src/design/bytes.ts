const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** A number of bytes, rounded: "850 bytes", "1.2 MB", "50 MB". */
export function bytes(count: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(count) / 3)));
  const amount = (count / 1000 ** power).toLocaleString('en', { maximumSignificantDigits: 3 });
  return `${amount} ${units[power]}`;
}
