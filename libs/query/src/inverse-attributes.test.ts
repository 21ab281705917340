import { expect, test } from 'vitest';
import { searchable } from './inverse-attributes.js';

const references: { readonly [attribute: string]: readonly string[] } = {
  'admin-c': ['role', 'person'],
  'tech-c': ['role', 'person'],
  'zone-c': ['role', 'person'],
  'abuse-c': ['role', 'person'],
  author: ['role', 'person'],
  'ping-hdl': ['role', 'person'],
  org: ['organisation'],
  'sponsoring-org': ['organisation'],
  'mnt-by': ['mntner'],
  'mnt-lower': ['mntner'],
  'mnt-routes': ['mntner'],
  'mnt-domains': ['mntner'],
  'mnt-ref': ['mntner'],
  'mbrs-by-ref': ['mntner'],
  'mnt-irt': ['irt'],
  'member-of': ['as-set', 'route-set', 'rtr-set'],
  form: ['poetic-form'],
};
const equal = [
  ...['auth', 'notify', 'upd-to', 'mnt-nfy', 'ref-nfy', 'irt-nfy', 'abuse-mailbox'],
  ...['origin', 'local-as', 'ds-rdata', 'fingerpr'],
];

test('the attributes of inverse lookups, and how each is compared', () => {
  expect(searchable).toEqual({
    ...Object.fromEntries(Object.entries(references).map(([name, types]) => [name, { kind: 'reference', types }])),
    ...Object.fromEntries(equal.map((name) => [name, { kind: 'equal' }])),
    ifaddr: { kind: 'interface' },
    nserver: { kind: 'host' },
  });
});
