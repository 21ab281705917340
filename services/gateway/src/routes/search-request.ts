import type { IncomingHttpHeaders } from 'node:http';
import type { SearchRequest } from '@cadastre/proto/search';
import { Refusal } from '../errors.js';
import { messages } from '../messages.js';
import { parameter, type Values } from '../parameters.js';

/** What can be asked of a search. */
export const searchQuery = {
  'query-string': parameter.text('The search term: an address, prefix, range, AS number, key or name.', {
    required: true,
    example: '192.0.2.77',
  }),
  source: parameter.list('A source to search; the source of this registry unless given.', { example: 'TEST' }),
  'inverse-attribute': parameter.list(
    'Searches for objects in which this attribute has the search term as its value; comma-separated lists and short names are understood.',
    { example: 'mnt-by' },
  ),
  'include-tag': parameter.list('Only objects that have any of these tags.'),
  'exclude-tag': parameter.list('Only objects that have none of these tags.'),
  'type-filter': parameter.list('Only objects of these types; comma-separated lists and short names are understood.', {
    example: 'route',
  }),
  flags: parameter.list(
    'A flag by its long name, or several by their letters: among others `no-filtering` (`B`), `no-referenced` (`r`), `no-irt` (`C`), `exact` (`x`), `one-less` (`l`), `all-less` (`L`), `one-more` (`m`), `all-more` (`M`).',
    { example: 'no-referenced' },
  ),
  unformatted: parameter.flag('Shows values as they were written, with their spaces, line ends and comments.'),
  'managed-attributes': parameter.flag('Marks the attributes that only the operator of the registry may change.'),
  'resource-holder': parameter.flag('Shows the organisation that holds a resource.'),
  'abuse-contact': parameter.flag('Shows the abuse contact of a resource.'),
  limit: parameter.count('At most this many objects.'),
  offset: parameter.count('Leaves out this many objects at the start.'),
  'roa-check': parameter.flag('Warns of route and route6 objects that conflict with ROAs.'),
};

/**
 * What a search asks for. What only the query engine can judge is passed on as it was sent, an absent search term
 * too. Throws a Refusal (400) for a serial that is none.
 */
export function searchRequest(sent: Values<typeof searchQuery>, headers: IncomingHttpHeaders): SearchRequest {
  return {
    query: sent['query-string'],
    // An empty name is the name of no source.
    sources: [...sent.source],
    types: filled(sent['type-filter']),
    inverseAttributes: filled(sent['inverse-attribute']),
    flags: filled(sent.flags),
    includeTags: tagsOf(sent['include-tag']),
    excludeTags: tagsOf(sent['exclude-tag']),
    annotations: {
      managedAttributes: sent['managed-attributes'],
      resourceHolder: sent['resource-holder'],
      abuseContact: sent['abuse-contact'],
      roaCheck: sent['roa-check'],
    },
    limit: sent.limit,
    offset: sent.offset ?? 0,
    minSerial: serialOf(headers),
  };
}

/** Empty values say nothing. */
function filled(values: readonly string[]): string[] {
  return values.filter((value) => value !== '');
}

/** Identifiers hold no commas, so lists can be told from them. */
function tagsOf(values: readonly string[]): string[] {
  return filled(values.flatMap((value) => value.split(',').map((tag) => tag.trim())));
}

const largestSerial = 0xff_ff_ff_ff_ff_ff_ff_ffn;

/** The serial that the index must have reached, from an answer to a write; 0 when none is named. */
function serialOf(headers: IncomingHttpHeaders): bigint {
  const value = String(headers['cadastre-serial'] ?? '0').trim();
  const serial = /^\d{1,20}$/.test(value) ? BigInt(value) : -1n;
  if (serial < 0n || serial > largestSerial) throw new Refusal(400, messages.invalidSerial(value));
  return serial;
}
