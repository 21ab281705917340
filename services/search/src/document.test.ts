import type { RegistryObject } from '@cadastre/proto/registry';
import { type ObjectTypeName, parseObject, primaryKey, samples } from '@cadastre/rpsl';
import { describe, expect, test } from 'vitest';
import { indexDocument, isMatch, objectId } from './document.js';
import type { TypeQuery } from './index-port.js';
import { found } from './run/found.js';

function registryObject(text: string): RegistryObject {
  const parsed = parseObject(text);
  if (!parsed.ok) throw new Error('not an object');
  const key = primaryKey(parsed.object);
  return {
    source: 'TEST',
    type: parsed.object.type,
    key: 'shown' in key ? key.shown : '',
    text,
    revision: 3,
    serial: 7n,
    created: undefined,
    lastModified: new Date('2026-01-01T00:00:00Z'),
    contacts: [],
    tags: [],
  };
}

function documentOf(text: string) {
  const document = indexDocument(registryObject(text));
  if (!document) throw new Error('not indexed');
  return document;
}

describe('terms by which objects are found', () => {
  test.each([
    [
      'person: Jane  A. Doe\nnic-hdl: JD1-TEST\n',
      ['key=jd1-test', 'word=a.', 'word=doe', 'word=jane', 'words=a. doe', 'words=a. jane', 'words=doe jane'],
    ],
    [`role: ${'x'.repeat(70)}\nnic-hdl: R1-TEST\n`, ['key=r1-test', `word=${'x'.repeat(64)}`]],
    [
      'role: Desk\nnic-hdl: D1-TEST\ne-mail: Desk <NOC@Example.net>\nabuse-mailbox: a@example.net # now\n',
      ['key=d1-test', 'word=desk', 'e-mail=noc@example.net', 'abuse-mailbox=a@example.net'],
    ],
    [
      'inetnum: 192.0.2.0 - 192.0.2.255\nnetname: Example-Net\nmnt-by: A-MNT, b-mnt\nmnt-by: A-MNT\n',
      ['key=192.0.2.0 - 192.0.2.255', 'netname=example-net', 'mnt-by=a-mnt', 'mnt-by=b-mnt'],
    ],
    [
      'route: 192.0.2.0/24\norigin: AS64496\nmnt-routes: X-MNT {192.0.2.0/24^+}\n',
      ['key=192.0.2.0/24as64496', 'origin=as64496', 'mnt-routes=x-mnt'],
    ],
    [
      'inet-rtr: r.example.net\nlocal-as: AS64496\nifaddr: 192.0.2.1 masklen 30\n',
      ['key=r.example.net', 'local-as=as64496', 'ifaddr=192.0.2.1'],
    ],
    [
      'mntner: X-MNT\nauth: MD5-PW $1$abc$def\nauth: SSO jane@example.net\nauth: PGPKEY-ABCD1234\nupd-to: U <u@example.net>\n',
      ['key=x-mnt', 'auth=pgpkey-abcd1234', 'upd-to=u@example.net'],
    ],
  ])('%j', (text, terms) => {
    expect([...documentOf(text).terms].sort()).toEqual([...terms].sort());
  });

  test('name servers are hosts: no glue, no final dot, each once', () => {
    const text = 'domain: 2.0.192.in-addr.arpa\nnserver: NS1.Example.net. 192.0.2.1\nnserver: ns1.example.net\n';
    const { hosts, terms, range } = documentOf(text);
    expect(hosts).toEqual(['ns1.example.net']);
    expect(terms).toEqual(['key=2.0.192.in-addr.arpa']);
    expect(range).toEqual({ space: 'ipv4', first: 0xc0000200n, last: 0xc00002ffn });
  });

  test.each(Object.entries(samples) as [ObjectTypeName, string][])('a %s is found by its key', (type, text) => {
    const document = documentOf(text);
    expect(document.type).toBe(type);
    expect(document.terms).toContain(`key=${document.key}`);
    expect(objectId(registryObject(text))).toEqual({ source: 'TEST', type, key: document.key });
  });

  test('objects with numbers have a range, routes have an origin', () => {
    expect(documentOf('as-block: AS64496 - AS64511\n').range).toEqual({ space: 'as', first: 64496n, last: 64511n });
    expect(documentOf('route6: 2001:db8::/32\norigin: AS64496\n').origin).toBe('as64496');
    expect(documentOf('mntner: X-MNT\n').range).toBeUndefined();
  });

  test.each([
    ['inetnum: 192.0.2.0 - 192.0.2.255\nnetname: Example-Net\ndescr: Office\n', { name: 'example-net' }],
    ['person: Jane Doe\nnic-hdl: JD1-TEST\n', { personName: 'jane doe' }],
    ['as-set: AS-X\ndescr: Caf\u00e9  Nord # now\ndescr: more\n', { descr: 'cafe nord' }],
    ['mntner: X-MNT\n', {}],
  ])('a name, or else the first description: %j', (text, expected) => {
    const { name, personName, descr } = documentOf(text);
    expect({ name, personName, descr }).toEqual({
      name: undefined,
      personName: undefined,
      descr: undefined,
      ...expected,
    });
  });

  test('unreadable objects are not indexed', () => {
    expect(indexDocument({ ...registryObject('mntner: X-MNT\n'), text: 'no object' })).toBeUndefined();
    expect(indexDocument({ ...registryObject('mntner: X-MNT\n'), type: 'unheard-of' })).toBeUndefined();
  });
});

const person =
  'person: Jane Doe\nnic-hdl: JD1-TEST\ne-mail: jane@example.net\nmnt-by: ONE-MNT, TWO-MNT\nsource: TEST\n';
const domain = 'domain: 2.0.192.in-addr.arpa\nnserver: ns1.example.net 192.0.2.1\nzone-c: JD1-TEST\nsource: TEST\n';

function foundText(type: string, key: string, text: string) {
  const tags = { contacts: [], tags: [] };
  return found(indexDocument({ source: 'TEST', type, key, text, revision: 1, serial: 1n, ...tags })!)!;
}

const jane = foundText('person', 'JD1-TEST', person);
const zone = foundText('domain', '2.0.192.in-addr.arpa', domain);

test.each([
  [[['key=jd1-test']], true],
  [[['key=jd2-test']], false],
  [[['mnt-by=two-mnt']], true],
  [[['mnt-by=mnt']], false],
  [[['word=doe', 'word=jane']], true],
  [[['word=doe', 'word=john']], false],
  [[['words=doe jane']], true],
  [[['words=doe john']], false],
  [[['words=', 'word=jane']], false],
  [[['word=doe', 'word=john'], ['e-mail=jane@example.net']], true],
  [[['admin-c=jd1-test']], false],
  [[], false],
])('a person that the index found for any of %j matches: %s', (anyOf, expected) => {
  expect(isMatch(jane, { kind: 'terms', type: 'person', anyOf, order: 'key' })).toBe(expected);
});

test('every term of a document matches its object', () => {
  for (const [one, key, text] of [
    [jane, 'JD1-TEST', person],
    [zone, '2.0.192.in-addr.arpa', domain],
  ] as const) {
    const { terms } = indexDocument({ ...one.stored, key, text, contacts: [], tags: [] })!;
    for (const term of terms) {
      expect(isMatch(one, { kind: 'terms', type: one.object.type, anyOf: [[term]], order: 'key' }), term).toBe(true);
    }
  }
});

test.each([
  ['ns1.example', true],
  ['ns2.example', false],
])('a domain found by the host %s or by a term matches: %s', (hosts, expected) => {
  expect(isMatch(zone, { kind: 'terms', type: 'domain', anyOf: [['zone-c=jd2-test']], hosts, order: 'key' })).toBe(
    expected,
  );
});

test('what was found by a range or a host matches', () => {
  const query: TypeQuery = { kind: 'hosts', type: 'domain', prefix: 'ns1' };
  expect(isMatch(zone, query)).toBe(true);
});
