import { type AddressRange, maxAsNumber, parseIpv4, parseIpv6Prefix, reverseDomainRange } from '@cadastre/rpsl';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';

/**
 * Reads the key of an `ip` lookup: an address, a prefix, or a range `first - last`. Clears the bits after a prefix.
 * Throws an HttpError (400) for anything else, for IPv6 addresses that represent IPv4 ones, and for addresses with a
 * zone.
 */
export function requireNetwork(key: string): AddressRange {
  const range = key.includes(':') ? ipv6Range(key) : ipv4Range(key.trim());
  if (range === undefined) throw new HttpError(400, messages.noNetworkKey(key));
  return range;
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

/** Reads the key of an `autnum` lookup, a number with or without `AS`. Throws an HttpError (400) for anything else. */
export function requireAsNumber(key: string): number {
  const [, digits] = /^(?:AS)?(0|[1-9]\d{0,9})$/i.exec(key) ?? [];
  const number = Number(digits);
  if (digits === undefined || number > maxAsNumber) throw new HttpError(400, messages.noAsNumberKey(key));
  return number;
}

/** A domain that a path names. */
interface RequestedDomain {
  /** In lower case, without a final dot. */
  readonly name: string;
  /** The addresses of a reverse zone. */
  readonly range: AddressRange | undefined;
}

/**
 * Reads a domain name in any letter case, with or without a final dot. Throws an HttpError: 400 for an invalid one, 501
 * for domains of telephone numbers (RFC 6116).
 */
export function requireDomain(key: string): RequestedDomain {
  const name = key.toLowerCase().replace(/\.$/, '');
  if (name.length > 253 || !/^[\w-]{1,63}(?:[./][\w-]{1,63})*$/.test(name)) {
    throw new HttpError(400, messages.noDomainKey(key));
  }
  if (/(?:^|\.)e164\.arpa$/.test(name)) throw new HttpError(501, messages.notServed('telephone numbers'));
  return { name, range: reverseDomainRange(name) };
}

/** Reads the name of a reverse zone, like `requireDomain`. Throws an HttpError (404) for other domains. */
export function requireZone(key: string): RequestedDomain & { readonly range: AddressRange } {
  const { name, range } = requireDomain(key);
  if (range === undefined) throw new HttpError(404, messages.noZone(key));
  return { name, range };
}

/** The key of an `entity` lookup. Throws an HttpError (400) for an impossible key. */
export function requireHandle(key: string): string {
  if (!/^[a-z0-9][\w.:-]{0,79}$/i.test(key)) throw new HttpError(400, messages.noHandle(key));
  return key;
}
