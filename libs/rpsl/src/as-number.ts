import { type AsRange, maxAsNumber } from './address-range.js';
import { parseDecimal, parseStrictDecimal } from './decimal.js';

/** `AS` and a number without leading zeros, in any letter case. */
export function parseAsNumber(text: string): number | undefined {
  const value = startsWithAs(text) ? parseStrictDecimal(text, 2, text.length, maxAsNumber) : -1;
  return value < 0 ? undefined : value;
}

/** `ASn - ASm`, spaces optional, n not above m. Accepts leading zeros and numbers above 32 bits. */
export function parseAsBlock(text: string): AsRange | undefined {
  const dash = text.indexOf('-');
  const first = dash < 0 ? -1 : blockEnd(text.slice(0, dash));
  const last = dash < 0 ? -1 : blockEnd(text.slice(dash + 1));
  return first < 0 || last < first ? undefined : { first, last };
}

function blockEnd(text: string): number {
  const end = text.trim();
  return startsWithAs(end) ? parseDecimal(end, 2, end.length, Number.MAX_SAFE_INTEGER) : -1;
}

function startsWithAs(text: string): boolean {
  return (text.charCodeAt(0) | 32) === 97 && (text.charCodeAt(1) | 32) === 115;
}
