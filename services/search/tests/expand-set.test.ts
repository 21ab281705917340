import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Searching, startSearching } from './searching.js';

let searching: Searching;
const end = 'mnt-by: EXAMPLE-MNT\nsource: TEST\n';
const autNum = (number: number, more = '') => `aut-num: AS${number}\nas-name: A\n${more}${end}`;
const route = (prefix: string, origin: number, more = '') => `route: ${prefix}\norigin: AS${origin}\n${more}${end}`;

beforeAll(async () => {
  searching = await startSearching([
    `as-set: AS-TOP\nmembers: AS64500, AS-INNER, AS-GONE\n${end}`,
    `as-set: AS-INNER\nmembers: AS-TOP\nmbrs-by-ref: OTHER-MNT, EXAMPLE-MNT\n${end}`,
    `as-set: AS-CLOSED\nmbrs-by-ref: OTHER-MNT\n${end}`,
    `route-set: RS-OPEN\nmembers: AS64501^+\nmbrs-by-ref: ANY\n${end}`,
    autNum(64501, 'member-of: AS-INNER, AS-CLOSED\n'),
    autNum(64502),
    route('192.0.2.0/24', 64500),
    route('198.51.100.0/24', 64501),
    route('198.51.100.0/25', 64502, 'member-of: RS-OPEN\n'),
    `route6: 2001:db8::/32\norigin: as64501\n${end}`,
  ]);
});
afterAll(() => searching.stop());

const expanded = (name: string, more: { depth?: number; withPrefixes?: boolean; source?: string } = {}) =>
  searching.client.expandSet({ source: 'TEST', name, withPrefixes: true, client: '', depth: undefined, ...more });

test('an as-set has its members, those that joined it, and the prefixes of their routes', async () => {
  expect(await expanded('as-top')).toMatchObject({
    sets: [
      { type: 'as-set', name: 'as-top', members: ['AS64500', 'AS-INNER', 'AS-GONE'], joined: [] },
      { type: 'as-set', name: 'AS-INNER', members: ['AS-TOP'], joined: ['AS64501'] },
    ],
    missing: ['AS-GONE'],
    asNumbers: [64500, 64501],
    prefixCounts: [1, 2],
    ipv4Prefixes: ['192.0.2.0/24', '198.51.100.0/24'],
    ipv6Prefixes: ['2001:db8::/32'],
    isPartial: false,
    serial: 10n,
  });
});

test.each([
  ['AS-CLOSED', {}, { asNumbers: [], isPartial: false }],
  ['AS-TOP', { withPrefixes: false }, { asNumbers: [64500, 64501], ipv4Prefixes: [], isPartial: false }],
  ['AS-TOP', { depth: 0 }, { sets: [{}], asNumbers: [64500], isPartial: true }],
  ['RS-OPEN', { source: '' }, { ipv4Prefixes: ['198.51.100.0/24^+', '198.51.100.0/25'] }],
])('%s with %j has %j', async (name, more, part) => {
  expect(await expanded(name, more)).toMatchObject(part);
});

test.each([
  ['AS-GONE', {}, 'not-found', 'No entries found in source TEST'],
  ['AS-TOP', { source: 'NONE' }, 'invalid', 'Invalid source'],
  ['EXAMPLE-MNT', {}, 'invalid', 'is not the name of an as-set'],
  ['AS-TOP', { source: 'OTHER-GRS' }, 'not-found', 'No entries found'],
])('%s with %j is refused', async (name, more, kind, text) => {
  await expect(expanded(name, more)).rejects.toMatchObject({ kind });
  await expect(expanded(name, more)).rejects.toThrow(text);
});
