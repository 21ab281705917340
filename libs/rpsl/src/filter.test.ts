import { expect, test } from 'vitest';
import { filterObject, filterVersion, isFiltered, isPersonal, maskObject } from './filter.js';
import { printObject } from './layout.js';
import type { RpslObject } from './object.js';
import { parsed } from './parsed.fixture.js';
import { attributeTypes } from './types.js';

const mntner = parsed(
  'mntner: A-MNT\nadmin-c: JD1-TEST\nupd-to: a@example.net\nmnt-nfy: a@example.net\nauth: SSO a@example.net\nauth: PGPKEY-0A1B2C3D\nnotify: a@example.net\nsource: TEST # note',
);
const role = parsed(
  'role: Desk\naddress: x\nphone: +31 20 555 0100\ne-mail: a@example.net\nref-nfy: a@example.net\nnic-hdl: DE1-TEST\nabuse-mailbox: b@example.net\nadmin-c: JD1-TEST\nsource: TEST',
);
const poem = parsed('poem: POEM-X\nform: FORM-X\nauthor: JD1-TEST\nchanged: a@example.net 20000101\nsource: TEST');

const names = (o: RpslObject) => o.attributes.map((a) => a.name);
const source = (o: RpslObject) => printObject(o).trimEnd().split('\n').at(-1);

test('by default e-mail, notifications and auth are removed and source is marked', () => {
  expect(names(filterObject(mntner))).toEqual(['mntner', 'admin-c', 'source']);
  expect(source(filterObject(mntner))).toBe('source:         TEST # Filtered');
  expect(names(filterObject(role))).toEqual([
    'role',
    'address',
    'phone',
    'nic-hdl',
    'abuse-mailbox',
    'admin-c',
    'source',
  ]);
});

test('unfiltered removes auth only, and still marks source', () => {
  const shown = filterObject(mntner, { unfiltered: true });
  expect(names(shown)).toEqual(['mntner', 'admin-c', 'upd-to', 'mnt-nfy', 'notify', 'source']);
  expect(source(shown)).toBe('source:         TEST # Filtered');
});

test('auth is shown to the maintainer, with and without the rest', () => {
  expect(filterObject(mntner, { unfiltered: true, showAuth: true })).toEqual(mntner);
  expect(names(filterObject(mntner, { showAuth: true }))).toEqual(['mntner', 'admin-c', 'auth', 'auth', 'source']);
});

test('an object with nothing to hide is not marked', () => {
  const set = parsed('as-set: AS-X\ntech-c: JD1-TEST\nsource: TEST');
  expect(filterObject(set)).toEqual(set);
});

test('changed is always removed; alone it marks the object only when mail is filtered', () => {
  expect(names(filterObject(poem))).not.toContain('changed');
  expect(source(filterObject(poem))).toBe('source:         TEST # Filtered');
  expect(names(filterObject(poem, { unfiltered: true }))).not.toContain('changed');
  expect(source(filterObject(poem, { unfiltered: true }))).toBe('source:         TEST');
});

test.each([
  ['SSO jo@example.net', 'SSO'],
  ['sso  0f9c-77@provider', 'SSO'],
  ['PGPKEY-0A1B2C3D', 'PGPKEY'],
  ['x509-12', 'X509'],
  ['MD5-PW $1$abcdefgh$0123456789ABCDEFabcdef', 'MD5-PW'],
  ['CRYPT-PW abcdefghijklm # note', 'CRYPT-PW'],
])('mails show of auth: %s only %s', (auth, kind) => {
  for (const type of ['mntner', 'irt']) {
    const shown = printObject(maskObject(parsed(`${type}: A-MNT\nauth: ${auth}\nsource: TEST`)));
    expect(shown.split('\n')[1]).toBe(`auth:           ${kind} # Filtered`);
  }
});

test('mails show everything but credentials and changed', () => {
  expect(names(maskObject(mntner))).toEqual(names(mntner));
  expect(maskObject(role)).toEqual(role);
  expect(names(maskObject(poem))).not.toContain('changed');
});

test('versions have no personal data either', () => {
  expect(names(filterVersion(role))).toEqual(['role', 'phone', 'nic-hdl', 'abuse-mailbox', 'source']);
  expect(names(filterVersion(mntner))).toEqual(['mntner', 'source']);
  expect(names(filterVersion(poem))).toEqual(['poem', 'form', 'source']);
  expect(source(filterVersion(poem))).toBe('source:         TEST # Filtered');
});

test('versions show nothing that a filtered lookup removes, and phone and fax-no of persons like lookups', () => {
  for (const { name } of attributeTypes) {
    const object = parsed(`person: Jane Doe\n${name}: a\nsource: TEST`);
    const inLookup = names(filterObject(object));
    expect(inLookup, name).toEqual(expect.arrayContaining(names(filterVersion(object))));
  }
  const person = parsed('person: Jane Doe\nphone: +31 20 555 0100\nfax-no: +31 20 555 0101\nsource: TEST');
  expect(names(filterVersion(person))).toEqual(names(filterObject(person)));
});

test.each([
  ['source: TEST # Filtered', true],
  ['source: TEST # filtered', true],
  ['source: TEST #Filtered', true],
  ['source: TEST # other', false],
  ['source: TEST', false],
  ['remarks: Filtered # Filtered', false],
])('an object with %j is filtered output: %j', (line, filtered) => {
  expect(isFiltered(parsed(`mntner: A-MNT\n${line}`))).toBe(filtered);
});

test.each([
  ['a person', 'person', 'TEST', '', true],
  ['a role', 'role', 'TEST', 'role: A\n', true],
  ['a role for reports of abuse', 'role', 'TEST', 'role: A\nabuse-mailbox: a@example.net\n', false],
  ['a mntner', 'mntner', 'TEST', '', false],
  ['a person of a copy', 'person', 'OTHER-GRS', '', false],
  ['a person of a copy with any other name', 'person', 'OTHER', '', false],
])('whether %s is about a person', (_what, type, source, text, expected) => {
  expect(isPersonal({ type, source, text }, 'test')).toBe(expected);
});
