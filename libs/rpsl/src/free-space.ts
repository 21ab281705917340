import type { AddressRange } from './address-range.js';

/** Consecutive numbers, both ends included. */
interface Stretch {
  readonly first: bigint;
  readonly last: bigint;
}

/** What is registered inside a range of addresses, and what is free. */
export interface SpaceUse {
  /** How many addresses are registered. */
  readonly used: bigint;
  /** Equal parts of the range, in order; the first and the last one may be smaller. */
  readonly parts: readonly SpacePart[];
  /** The first free prefix of each length that has one, shorter prefixes first. */
  readonly free: readonly FreePrefix[];
}

/** A part of a range. */
export interface SpacePart {
  readonly range: AddressRange;
  /** How many of its addresses are registered. */
  readonly used: bigint;
}

/** A prefix in which nothing is registered. */
export interface FreePrefix {
  readonly length: number;
  readonly range: AddressRange;
}

/**
 * How the registered stretches fill a range. The stretches are in order, disjoint and inside the range; reads them
 * once, and stores none.
 */
export function spaceUse(whole: AddressRange, registered: Iterable<Stretch>, maxParts: number): SpaceUse {
  const parts = partsOf(whole, maxParts);
  const used = parts.map(() => 0n);
  const prefixes = new FirstPrefixes(whole.family);
  let at = 0;
  let next = whole.first;
  for (const stretch of registered) {
    if (next < stretch.first) prefixes.note(next, stretch.first - 1n);
    next = stretch.last + 1n;
    while (parts[at]!.last < stretch.first) at += 1;
    for (let part = at; part < parts.length && parts[part]!.first <= stretch.last; part += 1) {
      used[part]! += sharedBy(parts[part]!, stretch);
    }
  }
  if (next <= whole.last) prefixes.note(next, whole.last);
  return {
    used: used.reduce((sum, one) => sum + one, 0n),
    parts: parts.map((range, part) => ({ range, used: used[part]! })),
    free: prefixes.found(),
  };
}

/** The maximum number of parts of a range: prefixes of one length, cut at the start and end of the range. */
export function partsOf({ family, first, last }: AddressRange, max: number): AddressRange[] {
  const bits = partBits({ first, last }, max);
  const count = Number((last >> bits) - (first >> bits)) + 1;
  return Array.from({ length: count }, (_, at) => {
    const start = ((first >> bits) + BigInt(at)) << bits;
    const end = start + (1n << bits) - 1n;
    return { family, first: start < first ? first : start, last: end > last ? last : end };
  });
}

/** The size of these parts: the exponent of 2. */
export function partBits({ first, last }: Stretch, max: number): bigint {
  let bits = 0n;
  while ((last >> bits) - (first >> bits) >= BigInt(max)) bits += 1n;
  return bits;
}

function sharedBy(one: Stretch, other: Stretch): bigint {
  const later = one.first > other.first ? one : other;
  const sooner = one.last < other.last ? one : other;
  return sooner.last - later.first + 1n;
}

/** Finds the first free prefix of each length in free stretches in order. */
class FirstPrefixes {
  readonly #family: 4 | 6;
  readonly #bits: number;
  /** The longest first. A stretch with room for a prefix has room for all longer ones. */
  readonly #prefixes: FreePrefix[] = [];
  /** The size of the next one. */
  #size = 1n;

  constructor(family: 4 | 6) {
    this.#family = family;
    this.#bits = family === 4 ? 32 : 128;
  }

  note(first: bigint, last: bigint): void {
    while (this.#size <= last - first + 1n) {
      const start = ((first + this.#size - 1n) / this.#size) * this.#size;
      const end = start + this.#size - 1n;
      if (end > last) return;
      const length = this.#bits - this.#prefixes.length;
      this.#prefixes.push({ length, range: { family: this.#family, first: start, last: end } });
      this.#size *= 2n;
    }
  }

  found(): FreePrefix[] {
    return this.#prefixes.toReversed();
  }
}
