import { expect, test } from 'vitest';
import { type Level, type LevelPart, nodesOfLevel, objectOfLevel, rowsOfLevel, typesInside } from './address-rows.js';
import { addressesOf, type Node } from './address-space.js';

function node(key: string): Node {
  const type = key.includes('AS') ? 'route' : 'inetnum';
  const name = { source: 'TEST', type, key };
  return { object: { name, attributes: [], tags: [] }, range: addressesOf(name)! };
}

function part(type: string, keys: readonly string[], isComplete = true): LevelPart {
  return { type, nodes: keys.map(node), next: isComplete ? undefined : { cursor: 'x' } };
}

const keysOf = (parts: readonly LevelPart[]) => nodesOfLevel(parts).map(({ object }) => object.name.key);

test('both types come by address; routes inside a network of the level are left to it', () => {
  const parts = [
    part('inetnum', ['10.0.0.0/24', '10.0.4.0/24']),
    part('route', ['10.0.0.0/24AS1', '10.0.0.128/25AS1', '10.0.2.0/23AS1', '10.0.4.0/22AS1', '10.0.9.0/24AS1']),
  ];
  expect(keysOf(parts)).toEqual([
    '10.0.0.0/24',
    '10.0.0.0/24AS1',
    '10.0.2.0/23AS1',
    '10.0.4.0/22AS1',
    '10.0.4.0/24',
    '10.0.9.0/24AS1',
  ]);
});

test('a level ends where a part of it is not loaded', () => {
  const networks = part('inetnum', ['10.0.0.0/24', '10.0.4.0/24'], false);
  const routes = part('route', ['10.0.3.0/24AS1', '10.0.9.0/24AS1']);
  expect(keysOf([networks, routes])).toEqual(['10.0.0.0/24', '10.0.3.0/24AS1', '10.0.4.0/24']);
  expect(keysOf([networks, part('route', [], false)])).toEqual([]);
});

test('rows have their places, and those inside an open row follow it', () => {
  const inner = 'inetnum 10.0.0.0/24 > inetnum 10.0.0.0/25';
  const levels = new Map<string, Level>([
    ['', { state: 'loaded', parts: [part('inetnum', ['10.0.0.0/24', '10.0.4.4']), part('route', [])] }],
    ['inetnum 10.0.0.0/24', { state: 'loading', parts: [part('inetnum', ['10.0.0.0/25'], false)] }],
  ]);
  const rows = rowsOfLevel(levels, new Set(['inetnum 10.0.0.0/24', inner]), '', node('10.0.0.0/16').range);
  expect(
    rows.map(({ kind, id, depth, isOpen, place, siblings }) => [kind, id, depth, isOpen, place, siblings]),
  ).toEqual([
    ['object', 'inetnum 10.0.0.0/24', 0, true, 1, 2],
    ['object', inner, 1, true, 1, -1],
    ['more', `more ${inner}`, 2, undefined, 1, -1],
    ['more', 'more inetnum 10.0.0.0/24', 1, undefined, 2, -1],
    ['object', 'inetnum 10.0.4.4', 0, undefined, 2, 2],
  ]);
});

test('a level knows the object around it', () => {
  const id = 'inetnum 10.0.0.0 - 10.0.0.255 > route 10.0.0.0/25AS1';
  expect(objectOfLevel(id, 'TEST')).toEqual({ source: 'TEST', type: 'route', key: '10.0.0.0/25AS1' });
});

test.each<[string, Level, string[]]>([
  ['empty', { state: 'loaded', parts: [part('inetnum', [])] }, ['nothing']],
  ['being loaded', { state: 'loading', parts: [] }, ['more']],
  [
    'loaded in part',
    { state: 'failed', parts: [part('inetnum', ['10.0.0.0/24'], false)], error: 'x' },
    ['object', 'failed'],
  ],
])('a level that is %s has rows that say so', (_what, level, kinds) => {
  const rows = rowsOfLevel(new Map([['', level]]), new Set(), '', node('10.0.0.0/8').range);
  expect(rows.map(({ kind }) => kind)).toEqual(kinds);
});

test.each([
  ['inetnum', ['inetnum', 'route']],
  ['inet6num', ['inet6num', 'route6']],
  ['route', ['route']],
  ['route6', ['route6']],
])('inside an object of type %s are %j', (type, types) => {
  expect(typesInside(type)).toEqual(types);
});
