import {
  parseAsBlock,
  parseAsNumber,
  parseIpv4Range,
  parseIpv6Prefix,
  reverseDomainRange,
  toLatin1,
} from '@cadastre/rpsl';
import { type Outcome, ok, refused } from './outcome.js';
import { queryMessages } from './query-messages.js';
import { addressRange, type Range } from './range.js';

/** The kind of a search term by its form. The first match counts. */
export type SearchKey =
  | { readonly kind: 'address'; readonly range: Range; readonly text: string }
  /** Folded origin. */
  | { readonly kind: 'route'; readonly range: Range; readonly origin: string; readonly text: string }
  /** Name without a final dot. */
  | { readonly kind: 'reverse-domain'; readonly range: Range; readonly text: string }
  /** `asRange` when the text is an AS number or `ASn - ASm`. */
  | { readonly kind: 'text'; readonly text: string; readonly asRange?: Range };

const maximalWords = 60;

/** The search term in latin-1, without control characters, words separated by one space; or the errors. */
export function readSearchTerm(query: string): Outcome<string> {
  const words = plainText(query)
    .split(/[ \t\r\n]+/)
    .filter((word) => word !== '');
  if (words.length === 0) return refused(queryMessages.emptyQuery());
  if (words.some((word) => word.startsWith('-') && word.length > 1)) return refused(queryMessages.flagsInQuery());
  return ok(words.join(' '));
}

/** A query with only the characters of objects; `?` replaces others. */
export function plainText(query: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  return toLatin1(query).text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, '?');
}

export function hasTooManyWords(term: string): boolean {
  return term.split(' ').length > maximalWords;
}

/** Classifies a search term. */
export function classify(term: string): SearchKey {
  return addressKey(term) ?? routeKey(term) ?? reverseDomainKey(term) ?? textKey(term);
}

function addressKey(term: string): SearchKey | undefined {
  const range = parseAddress(term);
  return range && { kind: 'address', range, text: term };
}

function routeKey(term: string): SearchKey | undefined {
  const [, address, origin] = /^(.+?) ?(as[0-9]+)$/i.exec(term) ?? [];
  const range = address === undefined ? undefined : parseAddress(address);
  return range && { kind: 'route', range, origin: origin!.toLowerCase(), text: term };
}

function reverseDomainKey(term: string): SearchKey | undefined {
  const range = reverseDomainRange(term);
  return range && { kind: 'reverse-domain', range: addressRange(range), text: term.replace(/\.$/, '') };
}

function textKey(term: string): SearchKey {
  const number = parseAsNumber(term);
  const as = number === undefined ? parseAsBlock(term) : { first: number, last: number };
  if (as === undefined) return { kind: 'text', text: term };
  return { kind: 'text', text: term, asRange: { space: 'as', first: BigInt(as.first), last: BigInt(as.last) } };
}

function parseAddress(text: string): Range | undefined {
  const range = text.includes(':') ? parseIpv6Prefix(text) : parseIpv4Range(text);
  return range && addressRange(range);
}
