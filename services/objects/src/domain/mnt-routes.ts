import { type AddressRange, contains, parseIpv4Prefix, parseIpv6Prefix, prefixLength } from '@cadastre/rpsl';

/** A `mnt-routes` value in its parts. */
interface MntRoutes {
  /** Name of the mntner, lower case. */
  readonly mntner: string;
  /** Prefix ranges as written; empty means any prefix. */
  readonly ranges: readonly string[];
}

/** Reads `NAME`, `NAME ANY`, or `NAME {range, range}`. */
export function parseMntRoutes(value: string): MntRoutes {
  const [, mntner = '', list = ''] = /^([^ {]+) *(?:\{(.*)\})?/.exec(value) ?? [];
  return { mntner: mntner.toLowerCase(), ranges: list.split(/[\s,]+/).filter((range) => range !== '') };
}

/**
 * Whether a prefix is in a prefix range (RFC 2622 section 2): `prefix`, itself; `prefix^-`, the more specific ones;
 * `prefix^+`, both; `prefix^n` and `prefix^n-m`, those of these lengths.
 */
export function isInPrefixRange(prefix: AddressRange, range: string): boolean {
  const [, written = '', operator] = /^([^^]*)(?:\^(.*))?$/.exec(range) ?? [];
  const outer = parseIpv4Prefix(written) ?? parseIpv6Prefix(written);
  const length = prefixLength(prefix);
  if (outer === undefined || length === undefined || !contains(outer, prefix)) return false;
  const { shortest, longest } = lengthsOf(operator, prefixLength(outer)!);
  return shortest <= length && length <= longest;
}

function lengthsOf(operator: string | undefined, own: number): { shortest: number; longest: number } {
  if (operator === undefined) return { shortest: own, longest: own };
  if (operator === '+' || operator === '-') return { shortest: operator === '+' ? own : own + 1, longest: 128 };
  const [shortest = '', longest = shortest] = operator.split('-');
  return { shortest: Number(shortest), longest: Number(longest) };
}
