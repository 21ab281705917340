import type { IncomingHttpHeaders } from 'node:http';
import type { SearchRequest } from '@cadastre/proto/search';
import { parseSerial } from '@cadastre/query';
import { HttpError } from '../errors.js';
import { cursorBytes, parameter, type Values } from '../parameters.js';
import { messages } from '../ripe-messages.js';
import { annotationQuery, requestedAnnotations } from './annotations.js';
import { asOfOf, asOfQuery } from './as-of.js';

/** The query parameters of a search. */
export const searchQuery = {
  'query-string': parameter.text('The search term: an address, prefix, range, AS number, key or name.', {
    required: true,
    example: '192.0.2.77',
  }),
  source: parameter.list('A source to search; default: the source of this registry.', { example: 'TEST' }),
  'inverse-attribute': parameter.list(
    'Finds objects in which this attribute has the search term as its value; accepts comma-separated lists and short names.',
  ),
  'include-tag': parameter.list('Only objects with at least one of these tags.'),
  'exclude-tag': parameter.list('Only objects without these tags.'),
  'type-filter': parameter.list('Only objects of these types; accepts comma-separated lists and short names.'),
  flags: parameter.list(
    'A flag by its long name, or several by their letters: among others `no-filtering` (`B`), `no-referenced` (`r`), `no-irt` (`C`), `exact` (`x`), `one-less` (`l`), `all-less` (`L`), `one-more` (`m`), `all-more` (`M`).',
    { example: 'no-referenced' },
  ),
  unformatted: parameter.flag('Shows values as submitted, with their spaces, line ends and comments.'),
  ...annotationQuery,
  limit: parameter.count('Maximum number of objects. The registry also has its own limit.'),
  offset: parameter.count('Number of objects to skip at the start. The registry refuses more than its limit.'),
  order: parameter.text(
    '`address`: an inverse search has the networks and routes of each type by address, larger ranges before those inside them; default: by key. Searches for addresses and for names of networks have that order without it.',
    { values: ['address'] },
  ),
  contains: parameter.text(
    'An inverse search of one source finds the objects whose type, key and name (`netname`, `as-name`, `org-name`, `role`, `person`, else the first `descr`) contain each word of this text, in any letter case and without accents, or that have some of its addresses: 2 to 64 printable characters. A response has at most 100 objects, without related ones, of at most 10,000 that the registry has compared (`CADASTRE-Compared`), and may have none. It has a `Link` to the next ones as long as more follow, also without a `limit`. There is no `offset`.',
    { example: 'example-net' },
  ),
  cursor: parameter.text(
    'Where to start: from the `Link` of a response to the same search. The offset counts from there.',
  ),
  client: parameter.text('The name of the client; the response repeats it.', { example: 'my-tool' }),
  'as-of': parameter.text(
    `${asOfQuery['as-of'].doc} Finds address space (no flag, \`x\`, \`l\`, \`L\`, \`m\`, \`M\`), and keys of types without names; an inverse search is 400. Objects are filtered like versions, without related objects.`,
    { example: '2026-01-31T12:00:00Z' },
  ),
  'roa-check': parameter.flag('Adds warnings to route and route6 objects that conflict with ROAs.'),
};

/** A search request without its client, which the route adds, from the start of the result. */
export type Question = Omit<SearchRequest, 'client' | 'cursor'>;

/**
 * Makes the search request. The search service checks most values, and whether there is a search term. Throws an
 * HttpError (400) for an invalid serial, cursor or moment, and for annotations of the past.
 */
export function searchRequest(sent: Values<typeof searchQuery>, headers: IncomingHttpHeaders): Question {
  const asOf = asOfOf(sent);
  const annotations = { ...requestedAnnotations(sent), roaCheck: sent['roa-check'] };
  if (asOf && Object.values(annotations).includes(true)) throw new HttpError(400, messages.noAnnotationsOfThePast());
  return {
    query: sent['query-string'],
    // No source has an empty name, so it causes an error.
    sources: [...sent.source],
    // A single empty name matches no type, so it causes an error.
    types: [...sent['type-filter']],
    inverseAttributes: filled(sent['inverse-attribute']),
    flags: filled(sent.flags),
    includeTags: tagsOf(sent['include-tag']),
    excludeTags: tagsOf(sent['exclude-tag']),
    annotations,
    limit: sent.limit,
    offset: sent.offset ?? 0,
    ...(isByAddress(sent.order) && { byAddress: true }),
    ...(sent.contains !== '' && { contains: sent.contains }),
    ...(sent.cursor === '' ? {} : { start: cursorBytes(sent.cursor) }),
    minSerial: serialOf(headers),
    asOf,
  };
}

/** Whether an `order` is that of addresses. Throws an HttpError (400) for an unknown one. */
function isByAddress(order: string): boolean {
  if (!['', 'address'].includes(order)) throw new HttpError(400, messages.invalidValue(order, 'order', 'address'));
  return order === 'address';
}

/** Omits empty values. */
function filled(values: readonly string[]): string[] {
  return values.filter((value) => value !== '');
}

/** Tags contain no commas, so a comma separates two of them. */
function tagsOf(values: readonly string[]): string[] {
  return filled(values.flatMap((value) => value.split(',').map((tag) => tag.trim())));
}

/** The serial of a write that the index must have reached; 0 when the request has none. */
function serialOf(headers: IncomingHttpHeaders): bigint {
  const value = String(headers['cadastre-serial'] ?? '0').trim();
  const serial = parseSerial(value);
  if (serial === undefined) throw new HttpError(400, messages.invalidSerial(value));
  return serial;
}
