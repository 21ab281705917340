import { expect, test } from 'vitest';
import { indexDocument } from '../document.js';
import type { TypeQuery } from '../index-port.js';
import { found } from './found.js';
import { isMatch } from './is-match.js';

const person =
  'person: Jane Doe\nnic-hdl: JD1-TEST\ne-mail: jane@example.net\nmnt-by: ONE-MNT, TWO-MNT\nsource: TEST\n';
const domain = 'domain: 2.0.192.in-addr.arpa\nnserver: ns1.example.net 192.0.2.1\nzone-c: JD1-TEST\nsource: TEST\n';

function foundText(type: string, key: string, text: string) {
  const tags = { contacts: [], tags: [] };
  return found(indexDocument({ source: 'TEST', type, key, text, revision: 1, serial: 1n, ...tags })!, false)!;
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
