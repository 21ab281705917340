import { expect, test } from 'vitest';
import type { ShownObject } from '../api/objects.js';
import { orderAfter } from '../design/ordered-head.js';
import { type Column, filterOf, isOrderOfRegistry, readChoice, rowOf, sortedRows, writeChoice } from './object-rows.js';

const object = (type: string, key: string, values: Record<string, string> = {}): ShownObject => ({
  name: { source: 'TEST', type, key },
  attributes: Object.entries({ [type]: key, ...values }).map(([name, value]) => ({ name, value })),
  tags: [],
});

const rows = [
  object('inetnum', '192.0.2.0 - 192.0.2.255', { netname: 'NET-10', 'last-modified': '2026-01-03T00:00:00Z' }),
  object('inetnum', '10.0.0.0 - 10.0.0.255', { netname: 'NET-9', 'last-modified': '2026-01-02T00:00:00Z' }),
  object('inetnum', '9.0.0.0 - 9.255.255.255', { netname: 'net-2', 'last-modified': '2026-01-01T00:00:00Z' }),
  object('route', '10.0.0.0/24AS64500', { descr: 'Office', 'last-modified': '2026-01-05T00:00:00Z' }),
  object('person', 'AE10-TEST', { person: 'Zoe Example', 'last-modified': '2026-01-04T00:00:00Z' }),
  object('person', 'AE9-TEST', { person: 'Alice Example' }),
].map(rowOf);

const keys = (address: string) =>
  sortedRows(rows, readChoice(new URLSearchParams(address))).map(({ name }) => name.key.split(' ')[0]);

test.each([
  ['', ['192.0.2.0', '10.0.0.0', '9.0.0.0', '10.0.0.0/24AS64500', 'AE10-TEST', 'AE9-TEST']],
  ['sort=object', ['9.0.0.0', '10.0.0.0', '192.0.2.0', '10.0.0.0/24AS64500', 'AE9-TEST', 'AE10-TEST']],
  ['sort=-object', ['AE10-TEST', 'AE9-TEST', '10.0.0.0/24AS64500', '192.0.2.0', '10.0.0.0', '9.0.0.0']],
  ['sort=name', ['AE9-TEST', '9.0.0.0', '10.0.0.0', '192.0.2.0', '10.0.0.0/24AS64500', 'AE10-TEST']],
  ['sort=-changed', ['10.0.0.0/24AS64500', 'AE10-TEST', '192.0.2.0', '10.0.0.0', '9.0.0.0', 'AE9-TEST']],
  ['sort=unknown', ['192.0.2.0', '10.0.0.0', '9.0.0.0', '10.0.0.0/24AS64500', 'AE10-TEST', 'AE9-TEST']],
])('the address ?%s shows %j', (address, shown) => {
  expect(keys(address)).toEqual(shown);
});

test.each([
  ['', undefined],
  ['find=+x+', undefined],
  ['find=+Office+2+', 'Office 2'],
  ['find=10.0.0.77&type=inetnum', '10.0.0.77'],
])('the address ?%s asks the registry for %s', (address, filter) => {
  expect(filterOf(readChoice(new URLSearchParams(address)))).toBe(filter);
});

test('a choice survives in an address', () => {
  const address = 'type=person&find=zoe&sort=-changed';
  const choice = readChoice(new URLSearchParams(address));
  expect(choice).toEqual({ type: 'person', find: 'zoe', column: 'changed', isDescending: true });
  expect(String(new URLSearchParams(writeChoice(choice)))).toBe(address);
  expect(writeChoice(readChoice(new URLSearchParams()))).toEqual({});
});

test('a column orders ascending, then descending, then no longer', () => {
  const click = (sort: string, column: Column) => {
    const choice = readChoice(new URLSearchParams({ sort }));
    return writeChoice({ ...choice, ...orderAfter(choice, column) }).sort;
  };
  expect(['', 'name', '-name', 'object'].map((sort) => click(sort, 'name'))).toEqual([
    'name',
    '-name',
    undefined,
    'name',
  ]);
});

test.each([
  ['route', 'object', true],
  ['inet6num', 'object', true],
  ['inetnum', '-object', false],
  ['inetnum', 'name', false],
  ['as-set', 'object', false],
  ['', 'object', false],
])('a search has objects of type “%s” in the order “%s”: %s', (type, sort, expected) => {
  expect(isOrderOfRegistry(readChoice(new URLSearchParams({ type, sort })))).toBe(expected);
});
