import { type AddressRange, parseIpv4, parseIpv6 } from '@cadastre/rpsl';
import type { Family } from './prefix-list.js';

/** The words of a prefix: its address, then its length. Undefined for a text that is not a prefix. */
export function prefixWords(text: string, family: Family): Uint32Array | undefined {
  const slash = text.indexOf('/');
  const length = Number(text.slice(slash + 1));
  if (slash < 0 || !Number.isInteger(length)) return undefined;
  const address = text.slice(0, slash);
  if (family === 4) {
    const first = parseIpv4(address);
    return first === undefined ? undefined : Uint32Array.of(first, length);
  }
  const first = parseIpv6(address);
  return first === undefined ? undefined : ipv6Words(first, length);
}

/** The words of a prefix by its first address. */
export function wordsOf({ family, first }: Pick<AddressRange, 'family' | 'first'>, length: number): Uint32Array {
  return family === 4 ? Uint32Array.of(Number(first), length) : ipv6Words(first, length);
}

function ipv6Words(first: bigint, length: number): Uint32Array {
  const word = (shift: bigint) => Number((first >> shift) & 0xffff_ffffn);
  return Uint32Array.of(word(96n), word(64n), word(32n), word(0n), length);
}

/** The addresses of a prefix in a list. */
export function rangeAt(words: Uint32Array, at: number, family: Family): AddressRange {
  if (family === 4) {
    const first = BigInt(words[at]!);
    return { family, first, last: first + (1n << BigInt(32 - words[at + 1]!)) - 1n };
  }
  let first = 0n;
  for (let n = 0; n < 4; n++) first = (first << 32n) | BigInt(words[at + n]!);
  return { family, first, last: first + (1n << BigInt(128 - words[at + 4]!)) - 1n };
}
