import { randomFillSync } from 'node:crypto';
import type { Family } from './prefix-list.js';

/** A slot has a hash, which is 0 in an empty one, and an origin. */
const slotWords = 2;
/** Parts that grow one by one, so that none takes long. The first 8 bits of a hash choose one. */
const parts = 256;
const firstSlots = 4;

/**
 * Finds the origins of a prefix. It has no prefixes, only a hash of each with an origin: the lists of the origins show
 * whether they have the prefix. Open addressing, 10 to 13 bytes for a route of either family.
 */
export function createOriginTable() {
  const hashOf = createHash();
  const tables: Uint32Array[] = Array.from({ length: parts }, () => new Uint32Array(0));
  const counts = new Uint32Array(parts);
  const grow = (part: number): Uint32Array => {
    const old = tables[part]!;
    const slots = Math.max(firstSlots, Math.ceil((old.length / slotWords) * 1.25));
    const table = new Uint32Array(slots * slotWords);
    for (let at = 0; at < old.length; at += slotWords) if (old[at] !== 0) put(table, old[at]!, old[at + 1]!);
    tables[part] = table;
    return table;
  };
  return {
    /** Number of routes. */
    get size(): number {
      return counts.reduce((sum, count) => sum + count, 0);
    },
    /** Its memory. */
    get bytes(): number {
      return tables.reduce((sum, { byteLength }) => sum + byteLength, 0);
    },
    /** Adds a route that is not there. */
    add(origin: number, family: Family, prefix: Uint32Array): void {
      const hash = hashOf(family, prefix);
      const part = hash >>> 24;
      const count = ++counts[part]!;
      const isFull = count * 5 * slotWords > tables[part]!.length * 4;
      put(isFull ? grow(part) : tables[part]!, hash, origin);
    },
    /** Removes a route that is there. */
    remove(origin: number, family: Family, prefix: Uint32Array): void {
      const hash = hashOf(family, prefix);
      const part = hash >>> 24;
      if (take(tables[part]!, hash, origin)) counts[part]!--;
    },
    /** The origins of a prefix, and possibly others; possibly repeated. */
    candidates(family: Family, prefix: Uint32Array): number[] {
      const hash = hashOf(family, prefix);
      const table = tables[hash >>> 24]!;
      const found: number[] = [];
      if (table.length === 0) return found;
      for (let at = homeOf(table, hash); table[at] !== 0; at = after(table, at)) {
        if (table[at] === hash) found.push(table[at + 1]!);
      }
      return found;
    },
  };
}

/** Octets of a prefix of each family: those of its address, and its length. */
const octets = { 4: 5, 6: 17 } as const;

/**
 * Tabulation hashing with random tables: nobody can choose prefixes with the same hash. The result is never 0.
 */
function createHash(): (family: Family, prefix: Uint32Array) => number {
  const random = randomFillSync(new Uint32Array((octets[4] + octets[6]) * 256));
  return (family, prefix) => {
    let row = family === 4 ? 0 : octets[4] * 256;
    let hash = 0;
    for (let at = 0; at < prefix.length - 1; at++) {
      const word = prefix[at]!;
      for (let shift = 24; shift >= 0; shift -= 8) {
        hash ^= random[row + ((word >>> shift) & 255)]!;
        row += 256;
      }
    }
    hash ^= random[row + (prefix[prefix.length - 1]! & 255)]!;
    return hash >>> 0 || 1;
  };
}

/** The position of the slot of a hash, unless others have taken it. Hashes of a part differ in 24 bits. */
function homeOf(table: Uint32Array, hash: number): number {
  const slots = table.length / slotWords;
  return Math.floor(((hash & 0xff_ffff) * slots) / 0x100_0000) * slotWords;
}

function after(table: Uint32Array, at: number): number {
  return at + slotWords === table.length ? 0 : at + slotWords;
}

function put(table: Uint32Array, hash: number, origin: number): void {
  let at = homeOf(table, hash);
  while (table[at] !== 0) at = after(table, at);
  table[at] = hash;
  table[at + 1] = origin;
}

/** Empties a slot, and moves those after it that could have been there. Returns whether it was there. */
function take(table: Uint32Array, hash: number, origin: number): boolean {
  if (table.length === 0) return false;
  let hole = homeOf(table, hash);
  while (table[hole] !== hash || table[hole + 1] !== origin) {
    if (table[hole] === 0) return false;
    hole = after(table, hole);
  }
  for (let at = after(table, hole); table[at] !== 0; at = after(table, at)) {
    if (isBetween(hole, homeOf(table, table[at]!), at)) continue;
    table[hole] = table[at]!;
    table[hole + 1] = table[at + 1]!;
    hole = at;
  }
  table[hole] = 0;
  return true;
}

/** Whether a position is after `from` and not after `to`, around the end of a table. */
function isBetween(from: number, at: number, to: number): boolean {
  return from < to ? from < at && at <= to : from < at || at <= to;
}
