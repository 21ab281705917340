import { randomBytes } from 'node:crypto';
import { hashHalves } from '@cadastre/service/hash64';

/** Two 32-bit halves of the hash of a text. */
export interface KeyHash {
  readonly high: number;
  readonly low: number;
}

/** A set of texts that stores 8 bytes of each. */
export interface KeySet {
  /** The salt of its hashes. */
  readonly salt: string;
  /** Adds a text; returns false when the set has it already. */
  add(text: string): boolean;
  /** The same for the text with this `keyHash`. */
  addHash(high: number, low: number): boolean;
  has(text: string): boolean;
  hasHash(high: number, low: number): boolean;
}

const initialSlots = 1 << 16;

/**
 * Makes a set of 64-bit hashes, so that the keys of a large dump fit into memory: 11 to 22 bytes each. A collision
 * among ten million texts has a probability of three in a million. An attacker cannot choose one, because each set has
 * its own salt (unless it shares that of another set).
 */
export function createKeySet(salt = randomBytes(6).toString('base64url')): KeySet {
  // Pairs of halves; (0, 0) is a free slot.
  let slots = new Uint32Array(2 * initialSlots);
  let size = 0;

  function addHash(high: number, low: number): boolean {
    const at = find(slots, high, low);
    if (slots[at] !== 0 || slots[at + 1] !== 0) return false;
    slots[at] = high;
    slots[at + 1] = low;
    size++;
    if (size > slots.length / 3) slots = grown(slots);
    return true;
  }

  function hasHash(high: number, low: number): boolean {
    const at = find(slots, high, low);
    return slots[at] !== 0 || slots[at + 1] !== 0;
  }

  const add = (text: string) => {
    const { high, low } = keyHash(salt, text);
    return addHash(high, low);
  };
  const has = (text: string) => {
    const { high, low } = keyHash(salt, text);
    return hasHash(high, low);
  };
  return { salt, add, addHash, has, hasHash };
}

/** The hash of a text in a set with this salt. */
export function keyHash(salt: string, text: string): KeyHash {
  const { high, low } = hashHalves(salt + text);
  return { high, low: high === 0 && low === 0 ? 1 : low };
}

/** The index of the pair, or of the free slot for it. */
function find(slots: Uint32Array, high: number, low: number): number {
  const mask = slots.length - 1;
  let at = (low * 2) & mask;
  while ((slots[at] !== high || slots[at + 1] !== low) && (slots[at] !== 0 || slots[at + 1] !== 0)) {
    at = (at + 2) & mask;
  }
  return at;
}

function grown(slots: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(slots.length * 2);
  for (let from = 0; from < slots.length; from += 2) {
    const high = slots[from]!;
    const low = slots[from + 1]!;
    if (high === 0 && low === 0) continue;
    const to = find(larger, high, low);
    larger[to] = high;
    larger[to + 1] = low;
  }
  return larger;
}
