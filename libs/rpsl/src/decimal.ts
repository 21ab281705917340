const zero = 48;
const nine = 57;

/** The number in `text[from, to)`: decimal digits only, at least one, not above `max`; else -1. Leading zeros count for nothing. */
export function parseDecimal(text: string, from: number, to: number, max: number): number {
  if (from >= to) {
    return -1;
  }
  let value = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code < zero || code > nine) {
      return -1;
    }
    value = value * 10 + code - zero;
    if (value > max) {
      return -1;
    }
  }
  return value;
}

/** As `parseDecimal`, refusing a leading zero in front of another digit. */
export function parseStrictDecimal(text: string, from: number, to: number, max: number): number {
  return to - from > 1 && text.charCodeAt(from) === zero ? -1 : parseDecimal(text, from, to, max);
}
