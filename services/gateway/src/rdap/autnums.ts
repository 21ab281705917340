// /rdap/autnums, /rdap/autnums/reverse_search/entity, /rdap/autnums/rirSearch1/:relation/:number

import { HttpError } from '../errors.js';
import { rdapContent } from '../openapi/content.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route } from '../route.js';
import { nameSearch } from './name-search.js';
import { rdapDialect } from './registry.js';
import { relationUrl, requireRelation } from './relation.js';
import { reverseSearch } from './reverse-search.js';

export const autnumSearch = nameSearch({
  kind: 'autnums',
  id: 'searchRdapAutnums',
  summary: 'Search for AS numbers',
  by: {
    name: { types: ['aut-num'], ofKeys: false, doc: 'An `as-name`, or a pattern.', example: 'EXAMPLE-*' },
    handle: {
      types: ['aut-num'],
      ofKeys: true,
      doc: 'An AS number, or a pattern such as `AS645*`.',
      keyOf: (text) => (/^\d/.test(text) ? `AS${text}` : text),
    },
  },
  findsBeginnings: false,
});

export const autnumsOfEntity = reverseSearch(
  'autnums',
  'findRdapAutnumsOf',
  'Find the AS numbers of an entity by RDAP',
);

/** GET of the relations of an AS number: these do not enclose each other here. */
const relation: Route = {
  id: 'getRdapAutnumRelation',
  tag: 'RDAP',
  summary: 'Request the relations of an AS number by RDAP',
  doc: 'Always refused: AS numbers do not enclose each other in this registry.',
  query: {},
  success: { doc: 'Never.', content: rdapContent('RdapAutnumSearch') },
  refusals: { 501: 'AS numbers have no relations here.' },
  credentials: 'optional',
  async handler(_context, request) {
    requireRelation(request);
    throw new HttpError(501, messages.notServed('relations of AS numbers'));
  },
};

export const autnumRelation: Resource = {
  ...rdapDialect,
  name: 'rdap-autnums-relation',
  url: relationUrl('autnums', 'number'),
  GET: relation,
};
