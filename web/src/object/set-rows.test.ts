import { expect, test } from 'vitest';
import { hasMembers, noSets, rowsOfSet, withExpansion } from './set-rows.js';

const known = withExpansion(noSets, {
  ...{ 'as-numbers': ['AS64500', 'AS64501'], 'prefix-counts': [2], routers: [], partial: true, serial: 1 },
  sets: [
    { type: 'as-set', name: 'AS-TOP', members: ['AS64500', 'as-inner', 'AS-GONE'], 'by-reference': ['AS64500'] },
    { type: 'as-set', name: 'AS-INNER', members: ['AS-TOP', 'AS-LATER', 'AS-EMPTY'], 'by-reference': [] },
    { type: 'as-set', name: 'AS-EMPTY', members: [], 'by-reference': [] },
  ],
  missing: ['AS-GONE'],
});
const shown = (open: readonly string[]) =>
  rowsOfSet(known, new Set(open), 'AS-Top').map(({ value, depth, isOpen, isJoined, state, place, siblings }) => [
    value,
    depth,
    isOpen,
    isJoined,
    state,
    `${place}/${siblings}`,
  ]);

test('a closed set has one row', () => {
  expect(shown([])).toEqual([
    ['AS64500', 0, undefined, false, undefined, '1/4'],
    ['as-inner', 0, false, false, 3, '2/4'],
    ['AS-GONE', 0, undefined, false, 'missing', '3/4'],
    ['AS64500', 0, undefined, true, undefined, '4/4'],
  ]);
});

test('the members of an open set follow it; a loop, an empty set and an unknown one differ', () => {
  expect(shown(['as-top > as-inner']).slice(1, 5)).toEqual([
    ['as-inner', 0, true, false, 3, '2/4'],
    ['AS-TOP', 1, undefined, false, 'loop', '1/3'],
    ['AS-LATER', 1, false, false, 'unknown', '2/3'],
    ['AS-EMPTY', 1, undefined, false, 0, '3/3'],
  ]);
});

test('an AS number has its number of prefixes, if it is known', () => {
  const inside = { type: 'as-set', name: 'AS-TWO', members: ['as64500', 'AS64501', 'AS-TWO'], 'by-reference': [] };
  const both = withExpansion(known, {
    ...{ sets: [inside], missing: [], 'as-numbers': [], routers: [], partial: false, serial: 1 },
  });
  expect(rowsOfSet(both, new Set(), 'AS-TWO').map(({ prefixes }) => prefixes)).toEqual([2, undefined, undefined]);
});

test('a set of another source differs from one of the same name', () => {
  const of = (name: string, members: string[]) => ({ type: 'as-set', name, members, 'by-reference': [] });
  const sets = [of('AS-X', ['OTHER::AS-X', 'OTHER::AS-GONE', 'AS-GONE']), of('OTHER::AS-X', ['AS64500', 'AS64501'])];
  const both = withExpansion(noSets, {
    ...{ sets, missing: ['OTHER::AS-GONE'], 'as-numbers': [], routers: [], partial: false, serial: 1 },
  });
  const open = new Set(['as-x > OTHER::AS-X']);
  expect(rowsOfSet(both, open, 'AS-X').map(({ value, depth, state }) => [value, depth, state])).toEqual([
    ['OTHER::AS-X', 0, 2],
    ['AS64500', 1, undefined],
    ['AS64501', 1, undefined],
    ['OTHER::AS-GONE', 0, 'missing'],
    ['AS-GONE', 0, 'unknown'],
  ]);
});

test('each row has an identifier of its own', () => {
  const ids = rowsOfSet(known, new Set(['as-top > as-inner']), 'AS-TOP').map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([
  ['as-set', true],
  ['rtr-set', true],
  ['peering-set', false],
  ['mntner', false],
])('an object of type %s has members: %s', (type, has) => {
  expect(hasMembers(type)).toBe(has);
});
