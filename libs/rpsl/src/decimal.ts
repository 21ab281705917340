const zero = 48;
const nine = 57;

/**
 * The number in `text[from, to)`: at least one decimal digit, digits only, at most `max`; else -1. Ignores leading
 * zeros.
 */
export function parseDecimal(text: string, from: number, to: number, max: number): number {
  if (from >= to) return -1;
  let value = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code < zero || code > nine) return -1;
    value = value * 10 + code - zero;
    if (value > max) return -1;
  }
  return value;
}

/** The decimal number of a part of a text, as `parseDecimal`; -1 also for a leading zero before another digit. */
export function parseStrictDecimal(text: string, from: number, to: number, max: number): number {
  return to - from > 1 && text.charCodeAt(from) === zero ? -1 : parseDecimal(text, from, to, max);
}
