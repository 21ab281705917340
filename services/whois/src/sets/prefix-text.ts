import { type AddressRange, parseIpv4, parseIpv6 } from '@cadastre/rpsl';
import { type Family, wordsEach } from './prefix-list.js';

/** Maximum length of the text of a prefix with the space after it. */
const maxBytes = { 4: 19, 6: 44 } as const;

const space = 32;
const dot = 46;
const slash = 47;
const zero = 48;
const colon = 58;

/** Bytes of the texts of prefixes, with a space between two. */
export function textBytes(words: Uint32Array, family: Family): number {
  const each = wordsEach(family);
  let bytes = Math.max(0, words.length / each - 1);
  if (family === 4) {
    for (let at = 0; at < words.length; at += each) bytes += ipv4Bytes(words[at]!, words[at + 1]!);
    return bytes;
  }
  const one = Buffer.alloc(maxBytes[family]);
  for (let at = 0; at < words.length; at += each) bytes += writePrefix(words, at, family, one, 0);
  return bytes;
}

/** Several times faster than writing it. */
function ipv4Bytes(address: number, length: number): number {
  const octets =
    decimalBytes[address >>> 24]! +
    decimalBytes[(address >>> 16) & 255]! +
    decimalBytes[(address >>> 8) & 255]! +
    decimalBytes[address & 255]!;
  return octets + 4 + decimalBytes[length]!;
}

/** Digits of the numbers below 256. */
const decimalBytes = Uint8Array.from({ length: 256 }, (_, value) => String(value).length);

/** The texts of prefixes, separated by a space or another octet, in pieces of at most `pieceBytes`. */
export function* prefixTexts(
  words: Uint32Array,
  family: Family,
  pieceBytes: number,
  between: number = space,
): Generator<Buffer> {
  const each = wordsEach(family);
  const room = (at: number) => Math.min(pieceBytes, ((words.length - at) / each) * maxBytes[family]);
  let piece = Buffer.allocUnsafe(room(0));
  let end = 0;
  for (let at = 0; at < words.length; at += each) {
    if (end + maxBytes[family] > piece.length) {
      yield piece.subarray(0, end);
      piece = Buffer.allocUnsafe(room(at));
      end = 0;
    }
    if (at > 0) piece[end++] = between;
    end = writePrefix(words, at, family, piece, end);
  }
  yield piece.subarray(0, end);
}

/** The text of one prefix. */
export function prefixText(prefix: Uint32Array, family: Family): string {
  const text = Buffer.allocUnsafe(maxBytes[family]);
  return text.toString('latin1', 0, writePrefix(prefix, 0, family, text, 0));
}

function writePrefix(words: Uint32Array, at: number, family: Family, to: Buffer, from: number): number {
  let end = family === 4 ? writeIpv4(words[at]!, to, from) : writeIpv6(words, at, to, from);
  to[end++] = slash;
  return writeDecimal(words[at + wordsEach(family) - 1]!, to, end);
}

function writeIpv4(address: number, to: Buffer, from: number): number {
  let end = writeDecimal(address >>> 24, to, from);
  for (let shift = 16; shift >= 0; shift -= 8) {
    to[end++] = dot;
    end = writeDecimal((address >>> shift) & 255, to, end);
  }
  return end;
}

/** A number below 256. */
function writeDecimal(value: number, to: Buffer, from: number): number {
  let end = from;
  if (value > 99) to[end++] = zero + Math.trunc(value / 100);
  if (value > 9) to[end++] = zero + (Math.trunc(value / 10) % 10);
  to[end++] = zero + (value % 10);
  return end;
}

/** RFC 5952: the first longest run of two or more zero groups becomes `::`. */
function writeIpv6(words: Uint32Array, at: number, to: Buffer, from: number): number {
  const group = (n: number) => (n % 2 === 0 ? words[at + (n >> 1)]! >>> 16 : words[at + (n >> 1)]! & 0xffff);
  let [runStart, runLength] = [8, 1];
  for (let n = 0; n < 8; n++) {
    let length = 0;
    while (n + length < 8 && group(n + length) === 0) length++;
    if (length > runLength) [runStart, runLength] = [n, length];
    n += length;
  }
  let end = from;
  for (let n = 0; n < 8; n++) {
    if (n === runStart) {
      to[end++] = colon;
      if (n === 0) to[end++] = colon;
      n += runLength - 1;
      if (n === 7) return end;
      continue;
    }
    end = writeHex(group(n), to, end);
    if (n < 7) to[end++] = colon;
  }
  return end;
}

function writeHex(value: number, to: Buffer, from: number): number {
  let end = from;
  for (let shift = value > 0xfff ? 12 : value > 0xff ? 8 : value > 15 ? 4 : 0; shift >= 0; shift -= 4) {
    const digit = (value >>> shift) & 15;
    to[end++] = digit < 10 ? zero + digit : 87 + digit;
  }
  return end;
}

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
