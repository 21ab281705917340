import { parseAsNumber, parseIpv4, parseIpv6 } from '@cadastre/rpsl';

/** A prefix: addresses with the same first bits. */
export interface Prefix {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly length: number;
}

/** A validated ROA payload: this AS may announce this prefix and longer ones up to a length (RFC 6811). */
export interface RoaPayload extends Prefix {
  /** The prefix as in the export. */
  readonly text: string;
  readonly maxLength: number;
  readonly asn: number;
  /** The name of its trust anchor, if the export has it. */
  readonly anchor?: string | undefined;
}

const maxAsn = 0xffff_ffff;

/** Reads an entry of a validator's export; undefined when it is invalid. Default maximum length: that of the prefix. */
export function readPayload(entry: Readonly<Record<string, unknown>>): RoaPayload | undefined {
  const { prefix: text, maxLength } = entry;
  const asn = readAsn(entry.asn);
  const prefix = typeof text === 'string' ? readPrefix(text) : undefined;
  if (asn === undefined || prefix === undefined) return undefined;
  const longest = maxLength ?? prefix.length;
  if (!isWholeNumber(longest, prefix.length, bitsOf(prefix.family))) return undefined;
  return { ...prefix, text: text as string, maxLength: longest, asn };
}

function readAsn(value: unknown): number | undefined {
  if (typeof value === 'string') return parseAsNumber(value);
  return isWholeNumber(value, 0, maxAsn) ? value : undefined;
}

function isWholeNumber(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}

/** A full address and a length, no host bits set. */
function readPrefix(text: string): Prefix | undefined {
  const [, address = '', digits = ''] = /^([0-9a-f:.]{2,45})\/(\d{1,3})$/i.exec(text) ?? [];
  const family = address.includes(':') ? 6 : 4;
  const first = family === 6 ? parseIpv6(address) : parseIpv4(address);
  const length = Number(digits);
  const hostBits = bitsOf(family) - length;
  if (first === undefined || hostBits < 0 || BigInt.asUintN(hostBits, BigInt(first)) !== 0n) return undefined;
  return { family, first: BigInt(first), length };
}

function bitsOf(family: 4 | 6): number {
  return family === 4 ? 32 : 128;
}
