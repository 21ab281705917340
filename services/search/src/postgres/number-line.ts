import type { Range, Space } from '@cadastre/query';
import { type ObjectTypeName, objectType } from '@cadastre/rpsl';

/**
 * All ranges share one number line, on which each type and number space has its own stretch, longer than the space. So
 * one index serves every type, and ranges of different types never overlap. PostgreSQL stores a numeric in two bytes for
 * four decimal digits, so IPv4 addresses and AS numbers, which are most of a registry, lie on the low part of the line:
 * their ends take 17 bytes, those of IPv6 addresses 25. Still lower (11 bytes), finding what encloses an address took a
 * third more time.
 */
const lowStretch = 10n ** 26n;
const highStretch = 10n ** 40n;

/** Where the stretch of a type begins. The high ones begin after all low ones. */
const offsetIn: Record<Space, (type: bigint) => bigint> = {
  ipv4: (type) => (2n * type + 1n) * lowStretch,
  as: (type) => (2n * type + 2n) * lowStretch,
  ipv6: (type) => (type + 1n) * highStretch,
};

/** Ends on the line, in decimal. */
export interface Span {
  readonly first: string;
  readonly last: string;
}

export function spanOf(type: ObjectTypeName, range: Range): Span {
  const offset = offsetIn[range.space](BigInt(objectType(type)!.displayOrder));
  return { first: String(offset + range.first), last: String(offset + range.last) };
}
