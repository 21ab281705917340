import { firstValueOf, parseObject, type RpslObject, valuesOf } from '@cadastre/rpsl';
import { expect, test } from 'vitest';
import { generateLargeSet, largeSetName } from './large-set.js';

const options = {
  asNumbers: 1_234,
  prefixes: 5_000,
  seed: 1,
  source: 'TEST',
  maintainer: 'EXAMPLE-MNT',
  contact: 'AE1-TEST',
};

const objects = [...generateLargeSet(options)].map((text): RpslObject => {
  const parsed = parseObject(text);
  if (!parsed.ok) throw new Error(text);
  return parsed.object;
});

test('the set has all AS numbers of the routes', () => {
  const sets = new Map(
    objects
      .filter(({ type }) => type === 'as-set')
      .map((set) => [firstValueOf(set, 'as-set'), valuesOf(set, 'members')]),
  );
  const members = sets.get(largeSetName)!.flatMap((name) => sets.get(name)!);
  expect(new Set(members).size).toBe(options.asNumbers);
  expect(members.length).toBe(options.asNumbers);
  const origins = objects.filter(({ type }) => type === 'route').map((route) => firstValueOf(route, 'origin'));
  expect(origins.filter((origin) => !members.includes(origin!))).toEqual([]);
});

test('no two routes have a prefix in common', () => {
  const prefixes = objects.filter(({ type }) => type === 'route').map((route) => firstValueOf(route, 'route'));
  expect(new Set(prefixes).size).toBe(options.prefixes);
});

test('the same options give the same texts', () => {
  expect([...generateLargeSet(options)].slice(0, 100)).toEqual([...generateLargeSet(options)].slice(0, 100));
  expect([...generateLargeSet({ ...options, seed: 2 })][0]).not.toBe([...generateLargeSet(options)][0]);
});

test('more prefixes than there is room for are refused', () => {
  expect(() => [...generateLargeSet({ ...options, prefixes: 14_000_001 })]).toThrow(RangeError);
});
