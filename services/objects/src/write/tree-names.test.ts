import { type ObjectTypeName, parseObject, type RpslObject } from '@cadastre/rpsl';
import { expect, test } from 'vitest';
import { governingNames, treeNames } from './tree-names.js';

type Given = readonly [verb: 'create' | 'delete', type: ObjectTypeName, name: string];

function objectOf([, type, name]: Given): RpslObject {
  const parsed = parseObject(`${type}: ${name}\n`);
  if (!parsed.ok) throw new Error(`${name} does not parse`);
  return parsed.object;
}

/** Whether a creation is decided again when the other change was committed meanwhile. */
function meets(creation: Given, committed: Given): boolean {
  const object = objectOf(creation);
  const read = new Set([...treeNames(object).read, ...governingNames(object)]);
  return treeNames(objectOf(committed)).written.some((name) => read.has(name));
}

const create = (type: ObjectTypeName, name: string): Given => ['create', type, name];
const network = (range: string) => create('inetnum', range);

// Both ways, whichever is committed first.
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
  ['a route and another network', network('10.1.0.0 - 10.1.255.255'), create('route', '10.0.7.0/24'), false],
  ['routes of one prefix', create('route', '10.0.7.0/24'), create('route', '10.0.7.0/24'), true],
  ['routes and less specific ones', create('route', '10.0.0.0/9'), create('route', '10.0.7.0/24'), true],
  ['nested domains', create('domain', '10.in-addr.arpa'), create('domain', '7.0.10.in-addr.arpa'), true],
  ['domains apart', create('domain', '8.0.10.in-addr.arpa'), create('domain', '7.0.10.in-addr.arpa'), false],
])('%s', (_, one, other, expected) => {
  expect(meets(one, other)).toBe(expected);
  expect(meets(other, one)).toBe(expected);
});

// A creation reads what governs the new object; decisions on networks read no routes.
test.each<[string, Given, Given]>([
  ['a route and its network', create('route', '10.0.7.0/24'), network('10.0.0.0 - 10.0.255.255')],
  ['a domain and its network', create('domain', '7.0.10.in-addr.arpa'), network('10.0.0.0 - 10.0.255.255')],
  ['an AS number and its block', create('aut-num', 'AS5'), create('as-block', 'AS1 - AS9')],
])('%s', (_, governed, governing) => {
  expect(meets(governed, governing)).toBe(true);
  expect(meets(governing, governed)).toBe(false);
});

test.each<[string, Given]>([
  ['a network', network('10.0.0.0 - 10.0.0.15')],
  ['a smaller network', network('10.0.0.0 - 10.0.0.3')],
  ['a larger network', network('10.0.0.0 - 10.255.255.255')],
  ['a route', create('route', '10.0.0.0/30')],
])('a deletion and %s', (_, creation) => {
  expect(meets(creation, ['delete', 'inetnum', '10.0.0.0 - 10.0.0.15'])).toBe(true);
});
