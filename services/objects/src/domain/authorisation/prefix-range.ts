import { type AddressRange, contains, parseIpv4Prefix, parseIpv6Prefix, prefixLength } from '@cadastre/rpsl';

/**
 * Whether a prefix is in a prefix range (RFC 2622 section 2): `prefix`, itself; `prefix^-`, the more specific ones;
 * `prefix^+`, both; `prefix^n` and `prefix^n-m`, those of these lengths.
 */
export function isInPrefixRange(prefix: AddressRange, range: string): boolean {
  const [, written = '', operator] = /^([^^]*)(?:\^(.*))?$/.exec(range) ?? [];
  const outer = parseIpv4Prefix(written) ?? parseIpv6Prefix(written);
  const length = prefixLength(prefix);
  if (outer === undefined || length === undefined || !contains(outer, prefix)) {
    return false;
  }
  const { shortest, longest } = lengthsOf(operator, prefixLength(outer)!);
  return shortest <= length && length <= longest;
}

function lengthsOf(operator: string | undefined, own: number): { shortest: number; longest: number } {
  if (operator === undefined) {
    return { shortest: own, longest: own };
  }
  if (operator === '+' || operator === '-') {
    return { shortest: operator === '+' ? own : own + 1, longest: 128 };
  }
  const [shortest = '', longest = shortest] = operator.split('-');
  return { shortest: Number(shortest), longest: Number(longest) };
}
