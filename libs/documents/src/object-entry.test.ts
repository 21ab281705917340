import type { RegistryObject } from '@cadastre/proto/registry';
import type { FoundObject } from '@cadastre/proto/search';
import { objectTypeNames, samples } from '@cadastre/rpsl';
import { describe, expect, it } from 'vitest';
import { contactTypesOf, foundEntry, objectEntry } from './object-entry.js';

const base = 'https://rest.example.net';

function stored(text: string, more: Partial<RegistryObject> = {}): RegistryObject {
  return { source: 'TEST', type: '', key: 'KEY', text, revision: 3, serial: 1n, contacts: [], tags: [], ...more };
}

const role = `role:           Example Role
address:        one   street # home
+               town\t## sweet # home
admin-c:        EX1-TEST
tech-c:         ex2-test
zone-c:         GONE-TEST
mnt-by:         A-MNT, B-MNT,a-mnt # both
remarks:
nic-hdl:        EX9-TEST
source:         TEST # Filtered
`;
const contacts = [
  { nicHdl: 'ex1-test', type: 'person' },
  { nicHdl: 'ex2-test', type: 'role' },
];

it('formats values, comments, lists and references (formatted)', () => {
  const entry = objectEntry(stored(role, { contacts, key: 'EX9-TEST' }), { base, unformatted: false });
  const mntner = (name: string) => ({ type: 'mntner', href: `${base}/test/mntner/${name}` });
  expect(entry).toMatchObject({
    type: 'role',
    source: 'test',
    link: `${base}/test/role/EX9-TEST`,
    primaryKey: [{ name: 'nic-hdl', value: 'EX9-TEST' }],
  });
  expect(entry).not.toHaveProperty('version');
  expect(entry?.attributes).toEqual([
    { name: 'role', value: 'Example Role' },
    { name: 'address', value: 'one street town', comment: 'home sweet home' },
    { name: 'admin-c', value: 'EX1-TEST', reference: { type: 'person', href: `${base}/test/person/EX1-TEST` } },
    { name: 'tech-c', value: 'ex2-test', reference: { type: 'role', href: `${base}/test/role/ex2-test` } },
    { name: 'zone-c', value: 'GONE-TEST' },
    { name: 'mnt-by', value: 'A-MNT', reference: mntner('A-MNT'), comment: 'both' },
    { name: 'mnt-by', value: 'B-MNT', reference: mntner('B-MNT'), comment: 'both' },
    { name: 'remarks', value: '' },
    { name: 'nic-hdl', value: 'EX9-TEST' },
    { name: 'source', value: 'TEST', comment: 'Filtered' },
  ]);
});

it('keeps spacing, lines and comments (unformatted); links only single values', () => {
  const entry = objectEntry(stored(role, { contacts }), { base, unformatted: true });
  expect(entry?.attributes.slice(0, 3)).toEqual([
    { name: 'role', value: '           Example Role' },
    { name: 'address', value: '        one   street # home\n+               town ## sweet # home' },
    {
      name: 'admin-c',
      value: '        EX1-TEST',
      reference: { type: 'person', href: `${base}/test/person/EX1-TEST` },
    },
  ]);
  expect(entry?.attributes[5]).toEqual({ name: 'mnt-by', value: '         A-MNT, B-MNT,a-mnt # both' });
});

it('shows the revision of a single version only', () => {
  expect(objectEntry(stored(role), { base, unformatted: false, asVersion: true })?.version).toBe(3);
});

it('links mnt-routes by the name of the maintainer and keeps the value whole', () => {
  const text = 'aut-num:        AS64500\nmnt-routes:     A-MNT {192.0.2.0/24}\nsource:         EXAMPLE-GRS\n';
  const entry = objectEntry(stored(text, { source: 'EXAMPLE-GRS' }), { base, unformatted: false });
  expect(entry?.attributes[1]).toEqual({
    name: 'mnt-routes',
    value: 'A-MNT {192.0.2.0/24}',
    reference: { type: 'mntner', href: `${base}/example-grs/mntner/A-MNT` },
  });
});

it('shows nothing of a text that is no object', () => {
  expect(objectEntry(stored('no object at all'), { base, unformatted: false })).toBeUndefined();
});

describe('every type', () => {
  it.each(objectTypeNames)('%s has its key and all its attributes', (type) => {
    const entry = objectEntry(stored(samples[type], { type }), { base, unformatted: false });
    expect(entry?.type).toBe(type);
    expect(entry?.primaryKey.length).toBe(type.startsWith('route') && type !== 'route-set' ? 2 : 1);
    expect(entry?.attributes.at(-1)).toMatchObject({ name: 'source', value: 'TEST' });
  });
});

describe('an object that a search found', () => {
  const found: FoundObject = {
    object: {
      source: 'TEST',
      type: 'aut-num',
      key: 'AS64500',
      text: 'aut-num:        AS64500\nmnt-by:         A-MNT, B-MNT\nadmin-c:        EX1-TEST\nsource:         TEST\n',
      revision: 4,
      serial: 9n,
      contacts: [{ nicHdl: 'ex1-test', type: 'role' }],
      tags: [],
    },
    related: false,
    managedAttributes: [],
    managedMaintainers: [],
    messages: [],
  };
  const view = { base, unformatted: false };

  it('shows no more than was found', () => {
    expect(Object.keys(foundEntry(found, view)!)).toEqual([
      'type',
      'link',
      'source',
      'primaryKey',
      'attributes',
      'tags',
      'text',
    ]);
  });

  it('links contacts by the type that they have', () => {
    const contact = foundEntry(found, view)?.attributes.find(({ name }) => name === 'admin-c');
    expect(contact?.reference).toEqual({ type: 'role', href: 'https://rest.example.net/test/role/EX1-TEST' });
  });

  it('links contacts by the types that the page has for the source of the object', () => {
    const contacts = {
      sources: [
        { source: 'TEST', persons: ['ex1-test'], roles: [] },
        { source: 'EXAMPLE-GRS', persons: [], roles: ['ex1-test'] },
      ],
    };
    const types = contactTypesOf({ contacts });
    const linked = (source: string) => {
      const object = { ...found.object!, contacts: [], source };
      return foundEntry({ ...found, object }, view, types)?.attributes.find(({ name }) => name === 'admin-c')
        ?.reference;
    };
    expect(linked('TEST')?.type).toBe('person');
    expect(linked('EXAMPLE-GRS')?.type).toBe('role');
    expect(linked('OTHER-GRS')).toBeUndefined();
  });

  it('marks every value of an attribute that only the operator may change, also where values are split', () => {
    const entry = foundEntry({ ...found, managed: true, managedAttributes: ['mnt-by', 'source'] }, view)!;
    expect(entry.managed).toBe(true);
    expect(entry.attributes.map(({ name, managed }) => [name, managed])).toEqual([
      ['aut-num', undefined],
      ['mnt-by', true],
      ['mnt-by', true],
      ['admin-c', undefined],
      ['source', true],
    ]);
  });

  it.each([
    [
      false,
      [
        ['A-MNT', undefined],
        ['B-MNT', true],
      ],
    ],
    [true, [['         A-MNT, B-MNT', true]]],
  ])("marks the operator's among several maintainers one by one, unformatted (%s) their line", (unformatted, marks) => {
    const some = { ...found, managed: true, managedAttributes: ['source'], managedMaintainers: ['B-MNT'] };
    const entry = foundEntry(some, { ...view, unformatted })!;
    const maintainers = entry.attributes.filter(({ name }) => name === 'mnt-by');
    expect(maintainers.map(({ value, managed }) => [value, managed])).toEqual(marks);
  });

  it('leaves the organisation of an abuse contact out when there is none', () => {
    const abuseContact = { key: 'AR1-TEST', email: 'abuse@example.net', suspect: true, orgId: '' };
    expect(foundEntry({ ...found, abuseContact }, view)?.abuseContact).toEqual({
      key: 'AR1-TEST',
      email: 'abuse@example.net',
      suspect: true,
    });
  });

  it('leaves out what is no object', () => {
    expect(foundEntry({ ...found, object: undefined }, view)).toBeUndefined();
  });
});
