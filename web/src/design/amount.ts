/** A number with its noun: "1 object", "2,000 objects". */
export function amount(count: number, one: string, more = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : more}`;
}
