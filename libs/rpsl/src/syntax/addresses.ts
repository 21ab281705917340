import { parseAsBlock, parseAsNumber } from '../as-number.js';
import { parseIpv4, parseIpv4Prefix, parseIpv4Range } from '../ipv4.js';
import { parseIpv6, parseIpv6Prefix } from '../ipv6.js';
import { type Checker, pattern, variants } from './checker.js';
import { isRangeOperator } from './range-operator.js';

function isIpv4(value: string): boolean {
  return parseIpv4Range(value) !== undefined;
}

export function isIpv6(value: string): boolean {
  return parseIpv6Prefix(value) !== undefined;
}

export function isIpv4Address(value: string): boolean {
  return parseIpv4(value) !== undefined;
}

/** One address of either family; accepts the prefix length of a single address. */
export function isAddress(value: string): boolean {
  if (value.includes(':')) return parseIpv6(withoutSuffix(value, '/128')) !== undefined;
  return isIpv4Address(withoutSuffix(value, '/32'));
}

export function isAsNumber(value: string): boolean {
  return parseAsNumber(value) !== undefined;
}

/** A prefix with a full address and optionally a range operator that does not widen it. */
export function isAddressPrefixRange(value: string): boolean {
  return isIpv4PrefixRange(value) || isIpv6PrefixRange(value);
}

export function isIpv4PrefixRange(value: string): boolean {
  const { address, length, prefix, operator } = prefixParts(value);
  return isIpv4Address(address) && parseIpv4Prefix(prefix) !== undefined && fits(operator, length, 32);
}

function isIpv6PrefixRange(value: string): boolean {
  const { address, length, prefix, operator } = prefixParts(value);
  return length !== '' && parseIpv6(address) !== undefined && isIpv6(prefix) && fits(operator, length, 128);
}

function prefixParts(value: string): { address: string; length: string; prefix: string; operator: string } {
  const caret = value.indexOf('^');
  const prefix = caret < 0 ? value : value.slice(0, caret);
  const slash = prefix.indexOf('/');
  return {
    address: slash < 0 ? prefix : prefix.slice(0, slash),
    length: slash < 0 ? '' : prefix.slice(slash + 1),
    prefix,
    operator: caret < 0 ? '' : value.slice(caret),
  };
}

function fits(operator: string, length: string, max: number): boolean {
  return operator === '' || isRangeOperator(operator, max, Number(length));
}

function withoutSuffix(text: string, suffix: string): string {
  return text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
}

/** Number resources: addresses, prefixes, ranges and AS numbers. */
export const addressSyntaxes = {
  'address-prefix-range': isAddressPrefixRange,
  'as-block': (value) => parseAsBlock(value) !== undefined,
  'as-number': isAsNumber,
  holes: variants({ route: isIpv4, route6: isIpv6 }),
  ipv4: isIpv4,
  ipv6: isIpv6,
  number: pattern(/^[0-9]+$/),
  pingable: isAddress,
  route: (value) => value.includes('/') && !value.includes('-') && parseIpv4Prefix(value) !== undefined,
  route6: (value) => value.includes('/') && isIpv6(value),
} satisfies Record<string, Checker>;

const maintainerWithScope = /^[A-Z][A-Z0-9_-]{1,80}(?: +(?:ANY|\{([^{}]*)\}))?$/i;

/** A maintainer, alone, with ANY, or with the prefix ranges in braces for which it may create routes. */
export function isMntRoutes(value: string): boolean {
  const match = maintainerWithScope.exec(value);
  if (match === null) return false;
  const ranges = match[1]?.trim() ?? '';
  return ranges === '' || ranges.split(',').every(isRangeList);
}

function isRangeList(text: string): boolean {
  return text.trim().split(/ +/).every(isAddressPrefixRange);
}
