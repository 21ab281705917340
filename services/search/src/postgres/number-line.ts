import { type ObjectTypeName, objectType } from '@cadastre/rpsl';
import type { Range, Space } from '../index-port.js';

/**
 * All ranges share one number line, on which each type and number space has its own stretch, longer than the space. So
 * one index serves every type, and ranges of different types never overlap.
 */
const stretchBits = 132n;
const spaces: Record<Space, bigint> = { ipv4: 0n, ipv6: 1n, as: 2n };

/** Ends on the line, in decimal. */
export interface Span {
  readonly first: string;
  readonly last: string;
}

export function spanOf(type: ObjectTypeName, range: Range): Span {
  const stretch = BigInt(objectType(type)!.displayOrder) * 4n + spaces[range.space];
  const offset = stretch << stretchBits;
  return { first: String(offset + range.first), last: String(offset + range.last) };
}
