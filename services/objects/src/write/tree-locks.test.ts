import { type ObjectTypeName, parseObject } from '@cadastre/rpsl';
import { expect, test } from 'vitest';
import type { Prepared, Verb } from '../domain/submission.js';
import { treeLocks } from './tree-locks.js';

type Given = readonly [verb: Verb, type: ObjectTypeName, name: string];

function change([verb, type, name]: Given): Prepared {
  const parsed = parseObject(`${type}: ${name}\n`);
  if (!parsed.ok) throw new Error(`${name} does not parse`);
  const key = { folded: name, shown: name };
  const { object } = parsed;
  return verb === 'delete'
    ? { verb, type, key, reason: '' }
    : { verb, type, key, object, submitted: object, messages: [] };
}

/** Whether one has exclusively what the other takes. */
function exclude(one: readonly Given[], other: readonly Given[]): boolean {
  const [ours, theirs] = [treeLocks(one.map(change)), treeLocks(other.map(change))];
  const taken = new Set([...theirs.exclusive, ...theirs.shared]);
  const shared = new Set(ours.shared);
  return ours.exclusive.some((name) => taken.has(name)) || theirs.exclusive.some((name) => shared.has(name));
}

const create = (type: ObjectTypeName, name: string): Given => ['create', type, name];
const network = (range: string) => create('inetnum', range);

test.each<[string, Given, Given, boolean]>([
  ['equal', network('10.0.0.0 - 10.0.0.15'), network('10.0.0.0 - 10.0.0.15'), true],
  ['nested, far apart in size', network('10.0.0.0 - 10.255.255.255'), network('10.7.3.16 - 10.7.3.17'), true],
  ['below the whole space', network('0.0.0.0 - 255.255.255.255'), network('10.7.3.16 - 10.7.3.17'), true],
  ['overlapping in part', network('10.0.0.0 - 10.0.1.127'), network('10.0.1.120 - 10.0.1.200'), true],
  ['overlapping in part across a /8', network('10.255.255.0 - 11.0.0.3'), network('11.0.0.2 - 11.0.0.5'), true],
  ['neighbours', network('10.0.0.0 - 10.0.0.15'), network('10.0.0.16 - 10.0.0.31'), false],
  ['networks and AS blocks', network('10.0.0.0 - 10.0.0.15'), create('as-block', 'AS1 - AS9'), false],
  ['IPv6 nested', create('inet6num', '2001:db8::/32'), create('inet6num', '2001:db8:1:2::/64'), true],
  ['IPv6 apart', create('inet6num', '2001:db8:1::/48'), create('inet6num', '2001:db8:2::/48'), false],
  ['IPv6 below a /64', create('inet6num', '2001:db8::/65'), create('inet6num', '2001:db8::1/128'), true],
  ['a route and its network', network('10.0.0.0 - 10.0.255.255'), create('route', '10.0.7.0/24'), true],
  ['a route and another network', network('10.1.0.0 - 10.1.255.255'), create('route', '10.0.7.0/24'), false],
  ['routes of one prefix', create('route', '10.0.7.0/24'), create('route', '10.0.7.0/24'), true],
  ['routes and less specific ones', create('route', '10.0.0.0/9'), create('route', '10.0.7.0/24'), true],
  ['a domain and its network', network('10.0.0.0 - 10.0.255.255'), create('domain', '7.0.10.in-addr.arpa'), true],
  ['nested domains', create('domain', '10.in-addr.arpa'), create('domain', '7.0.10.in-addr.arpa'), true],
  ['domains apart', create('domain', '8.0.10.in-addr.arpa'), create('domain', '7.0.10.in-addr.arpa'), false],
  ['an AS number and its block', create('as-block', 'AS1 - AS9'), create('aut-num', 'AS5'), true],
  ['a deletion', ['delete', 'inetnum', '10.0.0.0 - 10.0.0.15'], network('10.0.0.0 - 10.0.0.15'), true],
  ['a deletion and a route', ['delete', 'inetnum', '10.0.0.0 - 10.0.0.15'], create('route', '10.0.0.0/30'), true],
  ['updates', ['update', 'inetnum', '10.0.0.0 - 10.0.0.15'], ['update', 'inetnum', '10.0.0.0 - 10.0.0.15'], false],
])('%s', (_, one, other, expected) => {
  expect(exclude([one], [other])).toBe(expected);
  expect(exclude([other], [one])).toBe(expected);
});

test('a large write excludes all creations in its trees', () => {
  const large = Array.from({ length: 17 }, (_, n) => create('route', `10.0.${n}.0/24`));
  expect(exclude(large, [create('route', '192.0.2.0/24')])).toBe(true);
  expect(exclude(large, [network('192.0.2.0 - 192.0.2.15')])).toBe(true);
  expect(exclude(large, [create('inet6num', '2001:db8::/32')])).toBe(false);
});
