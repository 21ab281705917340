import { compareWords } from '@cadastre/rpsl';
import type { Prefix, RoaPayload } from './payload.js';
import { putWords, shareBits, wordsEach } from './prefix-words.js';

/** The fields of a payload that lookups need. */
export type CoveringRoa = Pick<RoaPayload, 'text' | 'maxLength' | 'asn'>;

/** A payload with its prefix. */
export interface PlacedRoa extends Pick<RoaPayload, 'family' | 'length' | 'maxLength' | 'asn' | 'anchor'> {
  /** The first address, as 32-bit words: one of IPv4, four of IPv6. Not to be changed. */
  readonly address: Uint32Array;
}

/**
 * An immutable set of payloads. Each has a place from 0 on, in the order of families, first addresses and lengths, then
 * in the order of insertion.
 */
export interface RoaIndex {
  readonly size: number;
  /** Payloads whose prefix contains or equals this one; the shortest prefix first, then in the order of insertion. */
  covering(prefix: Prefix): CoveringRoa[];
  /** The places of the same payloads, in the same order. */
  placesCovering(prefix: Prefix): number[];
  /** The first place of the payloads whose prefix is in this one or equals it, and the place after the last one. */
  placesWithin(prefix: Prefix): { readonly from: number; readonly to: number };
  /** The payload at a place. */
  at(place: number): PlacedRoa;
}

/** Collects payloads. */
export interface RoaIndexBuilder {
  add(payload: RoaPayload): void;
  /** Ends the collection: do not call `add` afterwards. */
  build(): RoaIndex;
}

/** Rows in the order of insertion. */
interface Table {
  readonly words: Uint32Array;
  readonly lengths: Uint8Array;
  readonly maxLengths: Uint8Array;
  readonly asns: Uint32Array;
  readonly texts: string[];
  /** Positions in the names of trust anchors. */
  readonly anchors: Uint8Array;
  readonly anchorNames: (string | undefined)[];
}

/** There are five; payloads of further ones have none. */
const maxAnchors = 256;

/** Starts an index of at most `capacity` payloads. */
export function roaIndexBuilder(capacity: number): RoaIndexBuilder {
  const table: Table = {
    words: new Uint32Array(capacity * wordsEach),
    lengths: new Uint8Array(capacity),
    maxLengths: new Uint8Array(capacity),
    asns: new Uint32Array(capacity),
    texts: [],
    anchors: new Uint8Array(capacity),
    anchorNames: [undefined],
  };
  const anchorOf = ({ anchor }: RoaPayload) => {
    const known = table.anchorNames.indexOf(anchor);
    if (known >= 0 || table.anchorNames.length === maxAnchors) return Math.max(0, known);
    return table.anchorNames.push(anchor) - 1;
  };
  return {
    add(payload) {
      const row = table.texts.length;
      putWords(payload, table.words, row * wordsEach);
      table.lengths[row] = payload.length;
      table.maxLengths[row] = payload.maxLength;
      table.asns[row] = payload.asn;
      table.anchors[row] = anchorOf(payload);
      table.texts.push(payload.text);
    },
    build: () => indexOf(table),
  };
}

/**
 * Prefixes are nested or disjoint. In the order of first address and length, all prefixes that cover another one come
 * before it. The last one that is not after a given prefix has as ancestors, or is, everything that covers it: from
 * there the parents lead to all others.
 */
function indexOf(table: Table): RoaIndex {
  const size = table.texts.length;
  const order = Uint32Array.from({ length: size }, (_, row) => row).sort((a, b) => compareRows(table, a, b));
  const parents = parentsOf(table, order);
  const key = new Uint32Array(wordsEach);
  const placesCovering = (prefix: Prefix) => {
    key.fill(0);
    putWords(prefix, key, 0);
    const places: number[] = [];
    for (let at = lastUpTo(table, order, key, prefix.length); at >= 0; at = parents[at]!) {
      const row = order[at]!;
      const length = table.lengths[row]!;
      if (length <= prefix.length && shareBits(length, table.words, row * wordsEach, key, 0)) places.push(at);
    }
    return places.reverse();
  };
  return {
    size,
    placesCovering,
    covering: (prefix) =>
      placesCovering(prefix).map((place) => {
        const row = order[place]!;
        return { text: table.texts[row]!, maxLength: table.maxLengths[row]!, asn: table.asns[row]! };
      }),
    placesWithin(prefix) {
      key.fill(0);
      putWords(prefix, key, 0);
      const from = lastUpTo(table, order, key, prefix.length - 1) + 1;
      putWords({ ...prefix, first: lastOf(prefix) }, key, 0);
      return { from, to: lastUpTo(table, order, key, longest) + 1 };
    },
    at(place) {
      const row = order[place]!;
      const family = table.words[row * wordsEach] === 4 ? 4 : 6;
      const first = row * wordsEach + 1;
      return {
        family,
        address: table.words.subarray(first, first + (family === 4 ? 1 : 4)),
        length: table.lengths[row]!,
        maxLength: table.maxLengths[row]!,
        asn: table.asns[row]!,
        anchor: table.anchorNames[table.anchors[row]!],
      };
    },
  };
}

/** The length of the longest prefixes. */
const longest = 128;

/** The last address of a prefix. */
function lastOf({ family, first, length }: Prefix): bigint {
  return first | ((1n << BigInt((family === 4 ? 32 : 128) - length)) - 1n);
}

/** For each position in the order, the position of the nearest prefix that contains or equals it; -1 for none. */
function parentsOf({ words, lengths }: Table, order: Uint32Array): Int32Array {
  const parents = new Int32Array(order.length);
  order.forEach((row, at) => {
    let parent = at - 1;
    while (parent >= 0) {
      const above = order[parent]!;
      if (shareBits(lengths[above]!, words, above * wordsEach, words, row * wordsEach)) break;
      parent = parents[parent]!;
    }
    parents[at] = parent;
  });
  return parents;
}

/** The last position in the order that is not after a prefix; -1 for none. */
function lastUpTo({ words, lengths }: Table, order: Uint32Array, key: Uint32Array, length: number): number {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = order[middle]!;
    const difference = compareWords(words, row * wordsEach, key, 0, wordsEach) || lengths[row]! - length;
    if (difference <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function compareRows({ words, lengths }: Table, a: number, b: number): number {
  return compareWords(words, a * wordsEach, words, b * wordsEach, wordsEach) || lengths[a]! - lengths[b]! || a - b;
}
