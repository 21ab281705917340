import { changeEvent } from '@cadastre/changes';
import { ChangeKind, type ListedChange } from '@cadastre/proto/objects';
import { expect, it } from 'vitest';
import { readParameters } from '../parameters.js';
import { filterOf, filterQuery } from './change-filter.js';

const { CHANGE_KIND_CREATED: created, CHANGE_KIND_MODIFIED: modified, CHANGE_KIND_DELETED: deleted } = ChangeKind;

function change(type: string, key: string, more: Partial<ListedChange> = {}) {
  const rest = { serial: 1n, kind: modified, revision: 2, maintainers: ['A-MNT'], maintainersIncomplete: false };
  return changeEvent({ ...rest, type, key, ...more });
}

const network = (key: string, more?: Partial<ListedChange>) => change('inetnum', key, more);

it.each<[string, ReturnType<typeof change>, boolean]>([
  ['', change('poem', 'POEM-1'), true],
  ['type-filter=person', change('person', 'AA1-TEST'), true],
  ['type-filter=PN', change('person', 'AA1-TEST'), true],
  ['type-filter=person,role', change('role', 'AA1-TEST'), true],
  ['type-filter=person&type-filter=role', change('mntner', 'A-MNT'), false],
  ['operation=created', change('poem', 'POEM-1', { kind: created }), true],
  ['operation=created', change('poem', 'POEM-1'), false],
  ['operation=Created,deleted', change('poem', 'POEM-1', { kind: deleted }), true],
  ['maintainer=a-mnt', change('poem', 'POEM-1'), true],
  ['maintainer=B-MNT', change('poem', 'POEM-1'), false],
  ['maintainer=B-MNT', change('poem', 'POEM-1', { maintainers: ['A-MNT', 'B-MNT'] }), true],
  // B-MNT may have maintained it.
  ['maintainer=B-MNT', change('poem', 'POEM-1', { maintainersIncomplete: true }), true],
  ['key=POEM-1', change('poem', 'poem-1'), true],
  ['key=POEM', change('poem', 'POEM-1'), false],
  ['key=poem*', change('poem', 'POEM-1'), true],
  ['key=*-1', change('poem', 'POEM-1'), true],
  ['key=p*e*1', change('poem', 'POEM-1'), true],
  ['key=p*e**1', change('poem', 'POEM-1'), true],
  ['key=p*x*1', change('poem', 'POEM-1'), false],
  ['key=POEM*EM-1', change('poem', 'POEM-1'), false],
  ['key=*', change('poem', 'POEM-1'), true],
  ['key=P.*', change('poem', 'POEM-1'), false],
  // Matches any change of an object in the network: its key has its addresses, before a change and after it.
  ['within=192.0.2.0/24', network('192.0.2.0 - 192.0.2.255', { kind: created }), true],
  ['within=192.0.2.0/24', network('192.0.2.0 - 192.0.2.255'), true],
  ['within=192.0.2.0/24', network('192.0.2.0 - 192.0.2.255', { kind: deleted }), true],
  ['within=192.0.2.0/24', network('192.0.2.16 - 192.0.2.20'), true],
  ['within=192.0.2.0/24', network('192.0.0.0 - 192.0.255.255'), false],
  ['within=192.0.2.0%20-%20192.0.3.255', network('192.0.3.0 - 192.0.3.255'), true],
  ['within=192.0.2.0/24', change('route', '192.0.2.0/24AS64500'), true],
  ['within=192.0.2.0/25', change('route', '192.0.2.0/24AS64500'), false],
  ['within=2001:db8::/32', change('inet6num', '2001:db8:1::/48'), true],
  ['within=2001:db8::/32', change('route6', '2001:db8:1::/48AS64500'), true],
  ['within=2001:db8::/32', network('192.0.2.0 - 192.0.2.255'), false],
  ['within=192.0.2.0/24', change('domain', '2.0.192.in-addr.arpa'), true],
  ['within=192.0.3.0/24', change('domain', '2.0.192.in-addr.arpa'), false],
  ['within=0.0.0.0/0', change('person', 'AA1-TEST'), false],
  ['within=192.0.2.0/24&type-filter=route', network('192.0.2.0 - 192.0.2.255'), false],
])('"%s" and a change: %#', (query, event, passes) => {
  expect(filterOf(readParameters(query, filterQuery))(event)).toBe(passes);
});

it.each(['type-filter=,', 'operation=,', 'maintainer=,', 'within=,%20,', 'within=nowhere', 'operation=renamed'])(
  'refuses "%s"',
  (query) => {
    expect(() => filterOf(readParameters(query, filterQuery))).toThrow(expect.objectContaining({ status: 400 }));
  },
);
