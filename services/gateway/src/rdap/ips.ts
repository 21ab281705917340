// /rdap/ips, /rdap/ips/reverse_search/entity, /rdap/ips/rirSearch1/:relation/:range

import { formatRange, parseNetwork } from '@cadastre/rpsl';
import { nearestNetwork } from './ip.js';
import { requireNetwork } from './keys.js';
import { nameSearch } from './name-search.js';
import { relation } from './relation.js';
import { reverseSearch } from './reverse-search.js';

const networks = ['inetnum', 'inet6num'] as const;

export const networkSearch = nameSearch({
  kind: 'ips',
  id: 'searchRdapNetworks',
  summary: 'Search for networks',
  by: {
    name: { types: networks, ofKeys: false, doc: 'A `netname`, or a pattern.', example: 'EXAMPLE-*' },
    handle: {
      types: networks,
      ofKeys: true,
      doc: 'The key of a network, its prefix or only address, or a pattern such as `192.0.2.*`.',
      keyOf: networkKey,
    },
  },
  findsBeginnings: false,
});

/** The key of the network with that prefix or of that address; another text as it is. */
function networkKey(text: string): string {
  const range = parseNetwork(text);
  return range === undefined ? text : formatRange(range);
}

export const networksOfEntity = reverseSearch('ips', 'findRdapNetworksOf', 'Find the networks of an entity by RDAP');

export const networkRelation = relation(
  {
    kind: 'ips',
    parameter: 'range',
    read: requireNetwork,
    typeOf: ({ family }) => (family === 4 ? 'inetnum' : 'inet6num'),
    schemas: ['RdapIpNetworkAnswer', 'RdapIpSearch'],
    types: networks,
    nearest: nearestNetwork,
  },
  'Find related networks by RDAP',
  'getRdapIpRelation',
);
