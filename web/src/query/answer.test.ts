import { parseResource } from '@cadastre/rpsl';
import { expect, test } from 'vitest';
import type { ShownObject } from '../api/objects.js';
import { answerOf, answersFirst } from './answer.js';

const nameOf = (type: string, key: string) => ({ source: 'TEST', type, key });
/** An object; values of references are `type/key`. */
const object = (
  type: string,
  key: string,
  lines: [string, string][],
  more: Partial<ShownObject> = {},
): ShownObject => ({
  name: nameOf(type, key),
  attributes: lines.map(([name, written]) => {
    const [, target, value = written] = /^(organisation|person|role)\/(.+)$/.exec(written) ?? [];
    return target ? { name, value, target: nameOf(target, value) } : { name, value };
  }),
  tags: [],
  ...more,
});

const network = object('inetnum', '192.0.2.0 - 192.0.2.255', [
  ['inetnum', '192.0.2.0 - 192.0.2.255'],
  ['netname', 'EXAMPLE-NET'],
  ['descr', 'Example network'],
  ['country', 'NL'],
  ['country', 'DE'],
  ['admin-c', 'person/AE1-TEST'],
  ['tech-c', 'person/ae1-test'],
  ['tech-c', 'role/EN1-TEST'],
  ['tech-c', 'GONE-TEST'],
]);
const holder = { key: 'ORG-EX1-TEST', name: 'Example Networks' };
const abuseContact = { key: 'EN1-TEST', email: 'abuse@example.net', suspect: true };
const organisation = object('organisation', 'ORG-EX1-TEST', [
  ['org-name', 'Example Networks'],
  ['country', 'FR'],
]);
const person = object('person', 'AE1-TEST', [['person', 'Alice Example']]);
const route = object('route', '192.0.2.0/24AS64500', [
  ['route', '192.0.2.0/24'],
  ['origin', 'AS64500'],
]);
const root = object('inetnum', '0.0.0.0 - 255.255.255.255', [['netname', 'INTERNET-ROOT']]);
const asNumber = object('aut-num', 'AS64500', [
  ['as-name', 'EXAMPLE-AS'],
  ['org', 'organisation/ORG-EX1-TEST'],
]);
const asBlock = object('as-block', 'AS64496 - AS64511', []);

const address = parseResource('192.0.2.77')!;
const as = parseResource('AS64500')!;

test('an address: its network with annotations, its routes, and contacts by name', () => {
  const warning = { severity: 'Warning', text: 'conflicts with an RPKI ROA' } as const;
  const found = [{ ...network, holder, abuseContact }, person, { ...route, messages: [warning] }];
  expect(answerOf(address, found)).toEqual({
    registered: found[0],
    title: 'EXAMPLE-NET',
    holder: { text: 'Example Networks', name: organisation.name },
    abuse: abuseContact,
    countries: ['NL', 'DE'],
    routes: [{ name: route.name, prefix: '192.0.2.0/24', origin: 'AS64500', conflict: 'conflicts with an RPKI ROA' }],
    contacts: [
      { key: 'AE1-TEST', name: nameOf('person', 'AE1-TEST'), title: 'Alice Example', as: ['admin-c', 'tech-c'] },
      { key: 'EN1-TEST', name: nameOf('role', 'EN1-TEST'), title: '', as: ['tech-c'] },
      { key: 'GONE-TEST', title: '', as: ['tech-c'] },
    ],
  });
});

test('an AS number: its organisation says its country', () => {
  expect(answerOf(as, [asBlock, asNumber, organisation])).toMatchObject({
    registered: asNumber,
    title: 'EXAMPLE-AS',
    holder: { text: 'Example Networks', name: organisation.name },
    abuse: undefined,
    countries: ['FR'],
  });
});

test.each([
  ['without an organisation its description', network, { text: 'Example network' }],
  ['without both nothing', object('inetnum', '192.0.2.0 - 192.0.2.1', []), undefined],
])('the holder of a network: %s', (_what, registered, expected) => {
  expect(answerOf(address, [registered])?.holder).toEqual(expected);
});

test.each([
  ['the whole address space', [root], { registered: undefined, routes: [] }],
  ['a route only', [route], { registered: undefined, routes: [{ origin: 'AS64500', conflict: '' }] }],
  ['a network in the whole address space', [root, network], { registered: network }],
  ['a block of AS numbers', [asBlock], undefined],
  ['nothing', [], undefined],
])('what %s says', (_what, objects, expected) => {
  const said = answerOf(address, objects);
  if (expected === undefined) expect(said).toBeUndefined();
  else expect(said).toMatchObject(expected);
});

test('an AS number that is not registered is said to be so', () => {
  expect(answerOf(as, [asBlock])).toMatchObject({ registered: undefined, routes: [] });
  expect(answerOf(parseResource('AS64500 - AS64511')!, [asBlock])).toBeUndefined();
});

test('the aut-num comes first, when the question is about an AS number', () => {
  expect(answersFirst(as, [asBlock, organisation, asNumber])).toEqual([asNumber, asBlock, organisation]);
  expect(answersFirst(address, [route, network])).toEqual([route, network]);
  expect(answersFirst(undefined, [asBlock, asNumber])).toEqual([asBlock, asNumber]);
});
