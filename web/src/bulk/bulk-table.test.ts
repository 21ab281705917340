import type { ResourceDescription } from '@cadastre/client';
import { expect, test } from 'vitest';
import type { BulkRow } from './bulk-lookup.js';
import { csvOf, firstView, jsonOf, type Kind, noteOf, type TableView, viewRows } from './bulk-table.js';
import { findResources } from './find-resources.js';

const network = (key: string, name: string, country: string) => ({
  source: 'TEST',
  type: 'inetnum' as const,
  key,
  name,
  countries: [country],
});
const answers: Record<string, Partial<ResourceDescription>> = {
  '192.0.2.9': {
    network: network('192.0.2.0 - 192.0.2.255', 'NET-B', 'NL'),
    'resource-holder': { key: 'ORG-B1-TEST', name: '=cmd|x' },
    'abuse-contact': { key: 'AR1-TEST', email: 'b@example.net', suspect: false },
    routes: [{ prefix: '192.0.2.0/24', origin: 'AS64500', roa: 'valid' }],
  },
  '192.0.2.10': {
    network: network('192.0.2.0 - 192.0.2.255', 'NET-B', 'NL'),
    routes: [
      { prefix: '192.0.2.0/24', origin: 'AS9', roa: 'invalid' },
      { prefix: '192.0.2.0/24', origin: 'AS10' },
    ],
  },
  '9.9.9.9': {},
  '10.0.0.1': {},
  '8.8.8.8': { error: 'The registry is unavailable' },
  '44.0.0.1': { network: network('44.0.0.0 - 44.255.255.255', 'NET-A, "x"', 'US'), routes: [] },
};

const rows: BulkRow[] = findResources(
  '192.0.2.9 192.0.2.10 9.9.9.9 192.0.2.9 10.0.0.1 8.8.8.8 44.0.0.1 AS64501',
).resources.map((found) => {
  const answer = answers[found.text];
  return answer === undefined ? found : { ...found, answer: { resource: found.text, routes: [], ...answer } };
});

const seen = (view: Partial<TableView>) => viewRows(rows, { ...firstView, ...view }).map(({ text }) => text);

test('the first view has all rows in the order of the text', () => {
  expect(seen({})).toEqual(rows.map(({ text }) => text));
});

test.each<[TableView['column'], boolean, string[]]>([
  ['resource', false, ['8.8.8.8', '9.9.9.9', '10.0.0.1', '44.0.0.1', '192.0.2.9', '192.0.2.10', 'AS64501']],
  ['resource', true, ['AS64501', '192.0.2.10', '192.0.2.9', '44.0.0.1', '10.0.0.1', '9.9.9.9', '8.8.8.8']],
  ['network', false, ['44.0.0.1', '192.0.2.9', '192.0.2.10']],
  ['country', true, ['44.0.0.1', '192.0.2.9', '192.0.2.10']],
  ['abuse', false, ['192.0.2.9']],
  ['origin', false, ['192.0.2.10', '192.0.2.9']],
  ['origin', true, ['192.0.2.9', '192.0.2.10']],
])('sorts by %s, descending: %s; rows without a value come last', (column, isDescending, expected) => {
  const sorted = seen({ column, isDescending });
  expect(sorted.slice(0, expected.length)).toEqual(expected);
  expect(sorted).toHaveLength(rows.length);
});

test.each<[Kind, string[]]>([
  ['registered', ['192.0.2.9', '192.0.2.10', '44.0.0.1']],
  ['not registered', ['9.9.9.9', '10.0.0.1']],
  ['without abuse contact', ['192.0.2.10', '44.0.0.1']],
  ['without route', ['44.0.0.1']],
  ['with an invalid route', ['192.0.2.10']],
  ['not looked up', ['8.8.8.8', 'AS64501']],
])('shows those %s', (kind, expected) => {
  expect(seen({ kind })).toEqual(expected);
});

test.each([
  ['net-b', ['192.0.2.9', '192.0.2.10']],
  ['  AS64500 ', ['192.0.2.9']],
  ['b@example', ['192.0.2.9']],
  ['private', ['10.0.0.1']],
  ['nowhere', []],
])('filters by "%s" in any letter case', (filter, expected) => {
  expect(seen({ filter })).toEqual(expected);
});

test('says why a row has no answer', () => {
  expect(rows.map(noteOf)).toEqual([
    '',
    '',
    'not registered here',
    'not registered here (private)',
    'The registry is unavailable',
    '',
    'not looked up',
  ]);
});

test('writes CSV that spreadsheets do not run', () => {
  expect(csvOf(viewRows(rows, { ...firstView, column: 'country' }).slice(0, 3))).toBe(
    [
      'resource,count,network,name,country,holder,holder-key,abuse-email,prefix,origin,roa,note',
      "192.0.2.9,2,192.0.2.0 - 192.0.2.255,NET-B,NL,'=cmd|x,ORG-B1-TEST,b@example.net,192.0.2.0/24,AS64500,valid,",
      '192.0.2.10,1,192.0.2.0 - 192.0.2.255,NET-B,NL,,,,192.0.2.0/24,AS9 AS10,invalid unknown,',
      '44.0.0.1,1,44.0.0.0 - 44.255.255.255,"NET-A, ""x""",US,,,,,,,',
      '',
    ].join('\r\n'),
  );
});

test('writes JSON with counts and notes', () => {
  expect(JSON.parse(jsonOf(rows.slice(2, 4)))).toEqual([
    { resource: '9.9.9.9', count: 1, routes: [], note: 'not registered here' },
    { resource: '10.0.0.1', count: 1, routes: [], note: 'not registered here (private)' },
  ]);
});
