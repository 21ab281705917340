/** A number with its noun: "1 address", "2 addresses". */
export function counted(number: number | bigint, singular: string, plural = `${singular}s`): string {
  return `${number} ${Number(number) === 1 ? singular : plural}`;
}
