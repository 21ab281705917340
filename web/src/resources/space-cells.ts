import { type AddressRange, contains, formatPrefix, prefixLength } from '@cadastre/rpsl';
import type { Space, SpaceObject } from '../api/space.js';
import { amount } from '../design/format.js';
import { sizeOf } from '../object/address-space.js';

/** A cell of the map of a range. */
export interface Cell {
  readonly range: AddressRange;
  /** The used part of its addresses, from 0 to 1; 0 and 1 only if they are all free or all used. */
  readonly share: number;
  /** Its text: its addresses, and how many of them are used. */
  readonly label: string;
  /** Its link: to the map of its addresses, or of the object that contains all of them. */
  readonly leadsTo:
    | { readonly kind: 'space'; readonly range: AddressRange }
    | ({ readonly kind: 'object' } & SpaceObject)
    /** Nothing is registered there, and a map would have one cell. */
    | { readonly kind: 'free' };
}

/** The cells of a map. */
export function cellsOf({ range: whole, parts, inside, isPartial }: Space): Cell[] {
  return parts.map(({ range, used, objects }) => {
    const size = sizeOf(range);
    const holder = inside.find((object) => contains(object.range, range));
    const counted = objects > 0 ? `, ${amount(objects, 'object')}` : '';
    const held = holder ? `, in ${formatPrefix(holder.range)}` : counted;
    const free = isPartial ? 'not known' : 'free';
    const least = isPartial ? 'at least ' : '';
    return {
      range,
      share: shareOf(used, size),
      label: `${formatPrefix(range)}: ${used === 0n ? free : `${least}${shareText(used, size)} used${held}`}`,
      leadsTo: leadsTo(whole, range, holder),
    };
  });
}

function leadsTo(whole: AddressRange, range: AddressRange, holder: SpaceObject | undefined): Cell['leadsTo'] {
  if (sizeOf(range) > 1n && sizeOf(range) < sizeOf(whole)) return { kind: 'space', range: holder?.range ?? range };
  return holder ? { kind: 'object', ...holder } : { kind: 'free' };
}

/** A share for drawing, which always shows that something is used or free. */
function shareOf(used: bigint, size: bigint): number {
  if (used === 0n || used === size) return used === 0n ? 0 : 1;
  return Math.min(0.95, Math.max(0.1, Number((used * 1000n) / size) / 1000));
}

/** A share in words: "none", "less than 1%", "37%", "more than 99%", "all". */
export function shareText(used: bigint, size: bigint): string {
  if (used === 0n) return 'none';
  if (used === size) return 'all';
  const percent = Number((used * 1000n) / size) / 10;
  if (percent < 1) return 'less than 1%';
  return percent > 99 ? 'more than 99%' : `${Math.round(percent)}%`;
}

/** The length of most networks that holders assign. */
const usualLength = { 4: 24, 6: 48 } as const;

/**
 * The free prefix that a form offers: that of the chosen length, or of the usual one; without one the next smaller
 * prefix, or else the smallest.
 */
export function offeredPrefix(
  free: readonly AddressRange[],
  family: 4 | 6,
  chosen: number | undefined,
): AddressRange | undefined {
  const length = chosen ?? usualLength[family];
  return free.find((range) => prefixLength(range)! >= length) ?? free.at(-1);
}
