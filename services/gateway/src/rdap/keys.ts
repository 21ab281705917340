import { type AddressRange, parseIpv4, parseIpv6Prefix, reverseDomainRange } from '@cadastre/rpsl';

/**
 * Reads the key of an `ip` lookup: an address, a prefix, or a range `first - last`. Bits behind a prefix are cleared.
 * Undefined for anything else, for IPv6 addresses that stand for IPv4 ones, and for addresses with a zone.
 */
export function readNetwork(key: string): AddressRange | undefined {
  return key.includes(':') ? ipv6Range(key) : ipv4Range(key.trim());
}

function ipv6Range(key: string): AddressRange | undefined {
  const [first, last = first, ...more] = key.split('-').map((part) => parseIpv6Prefix(part.trim()));
  if (first === undefined || last === undefined || more.length > 0 || first.first > last.last) return undefined;
  const isMapped = first.first >> 32n === 0xffffn;
  return isMapped ? undefined : { family: 6, first: first.first, last: last.last };
}

function ipv4Range(key: string): AddressRange | undefined {
  const [, firstText = '', lengthText, lastText] = /^([\d.]+)(?:\/(\d{1,2})|\s*-\s*([\d.]+))?$/.exec(key) ?? [];
  const first = parseIpv4(firstText);
  const last = lastText === undefined ? first : parseIpv4(lastText);
  const length = lengthText === undefined ? 32 : Number(lengthText);
  if (first === undefined || last === undefined || last < first || length > 32) return undefined;
  const size = 2 ** (32 - length);
  const start = first - (first % size);
  return { family: 4, first: BigInt(start), last: BigInt(lastText === undefined ? start + size - 1 : last) };
}

const largestAsNumber = 0xff_ff_ff_ff;

/** Reads the key of an `autnum` lookup, a number with or without `AS`; undefined for anything else. */
export function readAsNumber(key: string): number | undefined {
  const [, digits] = /^(?:AS)?(0|[1-9]\d{0,9})$/i.exec(key) ?? [];
  const number = Number(digits);
  return digits === undefined || number > largestAsNumber ? undefined : number;
}

/** What a `domain` lookup asks for. */
export type AskedDomain =
  | { readonly kind: 'zone'; readonly range: AddressRange }
  /** Below e164.arpa (RFC 6116). */
  | { readonly kind: 'telephone' }
  | { readonly kind: 'other' };

/** Reads a domain name in any letter case, with or without a final dot; undefined when it is none. */
export function readDomain(key: string): AskedDomain | undefined {
  const name = key.toLowerCase().replace(/\.$/, '');
  if (name.length > 253 || !/^[\w-]{1,63}(?:[./][\w-]{1,63})*$/.test(name)) return undefined;
  if (/(?:^|\.)e164\.arpa$/.test(name)) return { kind: 'telephone' };
  const range = reverseDomainRange(name);
  return range === undefined ? { kind: 'other' } : { kind: 'zone', range };
}

/** Whether a text can be the key of an `entity` lookup. */
export function isHandle(key: string): boolean {
  return /^[a-z0-9][\w.:-]{0,79}$/i.test(key);
}

/** Whether an object is the root of an address space, which stands for what is not registered. */
export function isRoot({ key }: { readonly key: string }): boolean {
  return key === '0.0.0.0 - 255.255.255.255' || key === '::/0';
}

/** Whether a range is a whole address space. */
export function isWholeSpace({ first, last, family }: AddressRange): boolean {
  return first === 0n && last === (1n << (family === 4 ? 32n : 128n)) - 1n;
}
