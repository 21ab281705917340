import { formatIpv4, formatPrefix, parseIpv4, parseResource } from '@cadastre/rpsl';

/** A search term in the form of the registry. */
export interface Term {
  readonly text: string;
  /** The written address, when the term is the prefix around it. */
  readonly inside?: string;
}

/**
 * Reads a term as people write it: with `[.]` and other notations that keep addresses from being links, in quotes or
 * brackets, with a port, AS numbers as `64500`, `AS 64500` and `AS1.10`, prefixes with host bits or a mask.
 */
export function normaliseTerm(written: string): Term {
  const text = plainQuad(withoutPort(unwrapped(refanged(asciiDigits(written)))));
  const asNumber = asNumberOf(text);
  if (asNumber !== undefined) return { text: asNumber };
  return prefixOf(text) ?? { text: hyphenated(text) };
}

/** Undoes the notations that keep addresses, URLs and mailboxes from being links. */
export function refanged(text: string): string {
  return text
    .replace(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .replace(/[[({](\.|dot)[\])}]/gi, '.')
    .replace(/[[({](@|at)[\])}]/gi, '@')
    .replace(/\[:(?:(\/\/)\]|\])/g, ':$1')
    .replace(/^hxxp/i, 'http')
    .trim();
}

/** Digits of other scripts and of full width are those of ASCII. */
function asciiDigits(text: string): string {
  return text.normalize('NFKC').replace(/[^\0-\x7f]/g, (sign) => (/\p{Nd}/u.test(sign) ? String(digitOf(sign)) : sign));
}

/** The digits of a script follow each other, from zero on. */
function digitOf(sign: string): number {
  const code = sign.codePointAt(0)!;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return value;
}

/** IPv4 addresses as parts of IPv6 addresses (RFC 4291, 2.5.5.2), and with leading zeros, which are decimal here. */
function plainQuad(text: string): string {
  const [, quad, length = ''] = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)((?:[\s/].*)?)$/i.exec(text) ?? [];
  return quad === undefined ? text : quad.replace(/(^|\.)0+(?=\d)/g, '$1') + length;
}

function unwrapped(text: string): string {
  const bare = text.replace(/^mailto:/i, '').replace(/[\s,;]+$/, '');
  const [, ...inner] = /^(?:"(.*)"|'(.*)'|`(.*)`|<(.*)>|\((.*)\)|\[(.*)\])$/s.exec(bare) ?? [];
  const inside = inner.find((match) => match !== undefined);
  return inside === undefined ? bare : unwrapped(inside.trim());
}

function withoutPort(text: string): string {
  return text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1').replace(/^\[([\da-f:.]+)\]:\d+$/i, '$1');
}

/** Why a text that looks like a resource is none; undefined for other texts. */
export function whyNoResource(text: string): string | undefined {
  if (parseResource(text) !== undefined) return undefined;
  const [, address = '', length = ''] = /^([\da-f.:]+)\s*\/\s*(\d+)$/i.exec(text) ?? [];
  const own = address === '' ? undefined : parseResource(address);
  if (own && 'family' in own) {
    const max = own.family === 4 ? 32 : 128;
    return Number(length) > max ? `${text}: IPv${own.family} prefixes end at /${max}` : undefined;
  }
  if (/^\/\d+$/.test(text)) return `${text}: a length without an address`;
  if (/^\d+\.\d+\.\d+\.\d+$/.test(text)) return `${text}: numbers in IPv4 addresses end at 255`;
  if (/^asn?\s*\d{10,}$/i.test(text)) return `${text}: AS numbers end at ${2 ** 32 - 1}`;
  if (/^\+?[\d\s()./-]{7,}$/.test(text) && /^\+|\s/.test(text))
    return `${text}: objects are not found by telephone numbers`;
  return /[\p{L}\p{N}]/u.test(text) ? undefined : `${text}: has neither letters nor digits`;
}

function asNumberOf(text: string): string | undefined {
  const [, number] = /^(?:asn?[\s:]*)?0*(\d{1,10})$/i.exec(text) ?? [];
  const [, high, low] = /^asn?[\s:]*(\d{1,5})\.(\d{1,5})$/i.exec(text) ?? [];
  const value = number === undefined ? Number(high) * 65_536 + Number(low) : Number(number);
  return value < 2 ** 32 ? `AS${value}` : undefined;
}

/**
 * The prefix of an IPv4 prefix with host bits or a mask, or of an IPv6 prefix with host bits, which the registry
 * clears.
 */
function prefixOf(text: string): Term | undefined {
  if (text.includes(':')) {
    const [address = ''] = text.split('/');
    const range = parseResource(text);
    if (range === undefined || !('family' in range) || range.first === range.last) return undefined;
    const own = parseResource(address);
    const hasHostBits = own !== undefined && 'family' in own && own.first !== range.first;
    return hasHostBits ? { text: formatPrefix(range)!, inside: address } : undefined;
  }
  const [, address = '', bits = ''] = /^(\d+\.\d+\.\d+\.\d+)[\s/]+(\d+|\d+\.\d+\.\d+\.\d+)$/.exec(text) ?? [];
  const number = parseIpv4(address);
  const length = bits.includes('.') ? lengthOfMask(bits) : Number(bits);
  if (number === undefined || bits === '' || !(length <= 32)) return undefined;
  const size = 2 ** (32 - length);
  const first = number - (number % size);
  const prefix = `${formatIpv4(first)}/${length}`;
  return first === number ? { text: prefix } : { text: prefix, inside: address };
}

function lengthOfMask(mask: string): number {
  const number = parseIpv4(mask);
  const length = number === undefined ? Number.NaN : 32 - Math.log2(2 ** 32 - number);
  return Number.isInteger(length) ? length : Number.NaN;
}

/** Ranges have dashes of all kinds, and spaces on some sides. The registry refuses words that begin with a dash. */
function hyphenated(text: string): string {
  const range = text.replace(/\s*[-\u2010-\u2015\u2212]\s*/, ' - ');
  return parseResource(range) === undefined ? text.replace(/\s+/g, ' ').replace(/(^|\s)-+(?=\S)/g, '$1') : range;
}
