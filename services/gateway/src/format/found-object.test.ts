import type { FoundObject } from '@cadastre/proto/search';
import { expect, it } from 'vitest';
import { foundEntry } from './found-object.js';

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
  messages: [],
};
const view = { base: 'https://rest.example.net', unformatted: false };

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
