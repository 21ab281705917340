import { compareWords } from '@cadastre/rpsl';
import type { Prefix, RoaPayload } from './payload.js';
import { putWords, shareBits, wordsEach } from './prefix-words.js';

/** The fields of a payload that lookups need. */
export type CoveringRoa = Pick<RoaPayload, 'text' | 'maxLength' | 'asn'>;

/** An immutable set of payloads. */
export interface RoaIndex {
  readonly size: number;
  /** Payloads whose prefix contains or equals this one; the shortest prefix first, then in the order of insertion. */
  covering(prefix: Prefix): CoveringRoa[];
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
}

/** Starts an index of at most `capacity` payloads. */
export function roaIndexBuilder(capacity: number): RoaIndexBuilder {
  const table: Table = {
    words: new Uint32Array(capacity * wordsEach),
    lengths: new Uint8Array(capacity),
    maxLengths: new Uint8Array(capacity),
    asns: new Uint32Array(capacity),
    texts: [],
  };
  return {
    add(payload) {
      const row = table.texts.length;
      putWords(payload, table.words, row * wordsEach);
      table.lengths[row] = payload.length;
      table.maxLengths[row] = payload.maxLength;
      table.asns[row] = payload.asn;
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
  return {
    size,
    covering(prefix) {
      key.fill(0);
      putWords(prefix, key, 0);
      const found: CoveringRoa[] = [];
      for (let at = lastUpTo(table, order, key, prefix.length); at >= 0; at = parents[at]!) {
        const row = order[at]!;
        const length = table.lengths[row]!;
        if (length <= prefix.length && shareBits(length, table.words, row * wordsEach, key, 0)) {
          found.push({ text: table.texts[row]!, maxLength: table.maxLengths[row]!, asn: table.asns[row]! });
        }
      }
      return found.reverse();
    },
  };
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
