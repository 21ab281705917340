// /rdap/domains, /rdap/domains/reverse_search/entity, /rdap/domains/rirSearch1/:relation/:domain

import { nearestZone } from './domain.js';
import { requireZone } from './keys.js';
import { nameSearch } from './name-search.js';
import { relation } from './relation.js';
import { reverseSearch } from './reverse-search.js';

export const zoneSearch = nameSearch({
  kind: 'domains',
  id: 'searchRdapDomains',
  summary: 'Search for reverse zones',
  by: {
    name: {
      types: ['domain'],
      ofKeys: true,
      doc: 'Beginning of the name of a reverse zone, or a pattern.',
      example: '2.*.in-addr.arpa',
      keyOf: (text) => text.replace(/\.$/, ''),
    },
  },
  findsBeginnings: true,
  unanswered: ['nsLdhName', 'nsIp'],
});

export const zonesOfEntity = reverseSearch(
  'domains',
  'findRdapDomainsOf',
  'Find the reverse zones of an entity by RDAP',
);

export const zoneRelation = relation(
  {
    kind: 'domains',
    parameter: 'domain',
    read: (key) => requireZone(key).range,
    typeOf: () => 'domain',
    schemas: ['RdapDomainAnswer', 'RdapDomainSearch'],
    types: ['domain'],
    nearest: nearestZone,
  },
  'Find related reverse zones by RDAP',
  'getRdapDomainRelation',
);
