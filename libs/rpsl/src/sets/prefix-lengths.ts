import { type AddressRange, prefixLength } from '../address-range.js';
import { parseIpv4Prefix } from '../ipv4.js';
import { parseIpv6Prefix } from '../ipv6.js';
import { formatPrefix } from '../resource.js';

/** The prefixes inside a prefix that have certain lengths: `192.0.2.0/24^25-26` (RFC 2622 section 2). */
export interface PrefixLengths {
  readonly prefix: AddressRange;
  /** Shortest and longest length. */
  readonly least: number;
  readonly max: number;
}

const form = /^([^^]+\/\d+)(\^\S+)?$/;
const operatorForm = /^\^(?:([+-])|(\d+)(?:-(\d+))?)$/;

/** Reads a prefix with or without a range operator; undefined for another value, and for one without prefixes. */
export function parsePrefixLengths(value: string): PrefixLengths | undefined {
  const [, text = '', operator = ''] = form.exec(value) ?? [];
  const prefix = text.includes(':') ? parseIpv6Prefix(text) : parseIpv4Prefix(text);
  const length = prefix && prefixLength(prefix);
  if (prefix === undefined || length === undefined) return undefined;
  return withOperator({ prefix, least: length, max: length }, operator);
}

/**
 * Applies a range operator, such as that of a set to its members: `^+` and `^-` extend the lengths to the longest one,
 * and lengths narrow the current ones. Undefined when none is left.
 */
export function withOperator(lengths: PrefixLengths, operator: string): PrefixLengths | undefined {
  if (operator === '') return lengths;
  const [, sign, from, to = from] = operatorForm.exec(operator) ?? [];
  const longest = lengths.prefix.family === 4 ? 32 : 128;
  const least = sign === '+' ? lengths.least : sign === '-' ? lengths.least + 1 : Math.max(lengths.least, Number(from));
  const max = sign === undefined ? Math.min(longest, Number(to)) : longest;
  return least <= max ? { ...lengths, least, max } : undefined;
}

/** The shortest text: `192.0.2.0/24`, `192.0.2.0/24^+`, `192.0.2.0/24^25-26`. */
export function formatPrefixLengths({ prefix, least, max }: PrefixLengths): string {
  const length = prefixLength(prefix)!;
  const longest = prefix.family === 4 ? 32 : 128;
  return `${formatPrefix(prefix)}${operatorOf()}`;
  function operatorOf(): string {
    if (least === max) return least === length ? '' : `^${least}`;
    if (max === longest && least === length) return '^+';
    if (max === longest && least === length + 1) return '^-';
    return `^${least}-${max}`;
  }
}
