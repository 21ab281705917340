import type { IncomingHttpHeaders } from 'node:http';
import type { SearchRequest } from '@cadastre/proto/search';
import { Refusal } from '../errors.js';
import { messages } from '../messages.js';
import { countOf, flagOf, type Parameters, textOf, valuesOf } from '../parameters.js';

/**
 * What a search asks for. What only the query engine can judge is passed on as it was sent, an absent search term
 * too. Throws a Refusal (400) for counts, switches and serials that are none.
 */
export function searchRequest(parameters: Parameters, headers: IncomingHttpHeaders): SearchRequest {
  const limit = countOf(parameters, 'limit');
  const offset = countOf(parameters, 'offset') ?? 0;
  return {
    query: textOf(parameters, 'query-string') ?? '',
    // An empty name is the name of no source.
    sources: [...new Set(parameters.getAll('source'))],
    types: valuesOf(parameters, 'type-filter'),
    inverseAttributes: valuesOf(parameters, 'inverse-attribute'),
    flags: valuesOf(parameters, 'flags'),
    includeTags: tagsOf(parameters, 'include-tag'),
    excludeTags: tagsOf(parameters, 'exclude-tag'),
    annotations: {
      managedAttributes: flagOf(parameters, 'managed-attributes'),
      resourceHolder: flagOf(parameters, 'resource-holder'),
      abuseContact: flagOf(parameters, 'abuse-contact'),
      roaCheck: flagOf(parameters, 'roa-check'),
    },
    limit,
    offset,
    minSerial: serialOf(headers),
  };
}

/** Identifiers hold no commas, so lists can be told from them. */
function tagsOf(parameters: Parameters, name: string): string[] {
  const tags = parameters.getAll(name).flatMap((value) => value.split(',').map((tag) => tag.trim()));
  return tags.filter((tag) => tag !== '');
}

const largestSerial = 0xff_ff_ff_ff_ff_ff_ff_ffn;

/** The serial that the index must have reached, from an answer to a write; 0 when none is named. */
function serialOf(headers: IncomingHttpHeaders): bigint {
  const value = String(headers['cadastre-serial'] ?? '0').trim();
  const serial = /^\d{1,20}$/.test(value) ? BigInt(value) : -1n;
  if (serial < 0n || serial > largestSerial) throw new Refusal(400, messages.invalidSerial(value));
  return serial;
}
