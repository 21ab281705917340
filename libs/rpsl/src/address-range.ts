/** The largest AS number. */
export const maxAsNumber = 0xff_ff_ff_ff;

/** Consecutive addresses of one family, both ends included. */
export interface AddressRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/** Consecutive AS numbers, both ends included. */
export interface AsRange {
  readonly first: number;
  readonly last: number;
}

/** The part of the number space that an object or a query names. */
export type Resource = AddressRange | { readonly as: AsRange };

/** True when every member of `inner` is in `outer`; never across families. */
export function contains<R extends AddressRange | AsRange>(outer: R, inner: R): boolean {
  return sameFamily(outer, inner) && outer.first <= inner.first && inner.last <= outer.last;
}

/** True when the ranges share a member, nested ranges included; never across families. */
export function overlaps<R extends AddressRange | AsRange>(a: R, b: R): boolean {
  return sameFamily(a, b) && a.first <= b.last && b.first <= a.last;
}

function sameFamily(a: AddressRange | AsRange, b: AddressRange | AsRange): boolean {
  return ('family' in a ? a.family : 0) === ('family' in b ? b.family : 0);
}

/** Whether a resource is a whole number space: all addresses of a family, or all AS numbers. */
export function isWholeSpace(resource: Resource): boolean {
  if ('as' in resource) return resource.as.first === 0 && resource.as.last >= maxAsNumber;
  return prefixLength(resource) === 0;
}

/** The length of the prefix that is exactly this range, if there is one. */
export function prefixLength(range: AddressRange): number | undefined {
  const size = range.last - range.first + 1n;
  if ((size & (size - 1n)) !== 0n || range.first % size !== 0n) return undefined;
  return (range.family === 4 ? 33 : 129) - size.toString(2).length;
}
