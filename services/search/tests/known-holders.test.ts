import { ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DescribeHolders } from '../src/annotations/holders.js';
import { type Searching, startSearching } from './searching.js';

const network = (range: string, more = 'mnt-by: HOLDER-MNT\n') =>
  `inetnum: ${range}\nnetname: N\n${more}source: TEST\n`;
const stored = [
  network('10.0.0.0 - 10.255.255.255', 'mnt-by: LIR-MNT\n'),
  network('10.1.0.0 - 10.1.0.255'),
  network('10.1.0.16 - 10.1.0.31'),
  network('10.2.0.0 - 10.2.0.255'),
  network('10.3.0.0 - 10.3.0.255', 'mnt-by: holder-mnt\n'),
  network('10.4.0.0 - 10.4.0.255', 'mnt-by: HOLDER-MNT\nabuse-c: AR1-TEST\n'),
  'aut-num: AS64496\nas-name: A\nmnt-by: HOLDER-MNT\nsource: TEST\n',
  'aut-num: AS64497\nas-name: B\nmnt-by: HOLDER-MNT\nsource: TEST\n',
  'organisation: ORG-A1-TEST\norg-name: A\nmnt-by: HOLDER-MNT\nsource: TEST\n',
  'organisation: ORG-B1-TEST\norg-name: B\nmnt-by: HOLDER-MNT\nsource: TEST\n',
];

/** The keys that geo was asked about. */
let requested: string[] = [];
let isAway = false;
/** Called when geo is asked. */
let meanwhile = async () => {};
const describeHolders: DescribeHolders = async (ids) => {
  requested.push(...ids.map(({ key }) => key));
  await meanwhile();
  if (isAway) throw new ServiceError('unavailable', 'away');
  return ids.map(({ key }) => ({ abuseContact: { key: `for ${key}`, email: '', suspect: false, orgId: '' } }));
};

let searching: Searching;
beforeAll(async () => {
  searching = await startSearching(stored, { describeHolders });
});
afterAll(() => searching?.stop());
beforeEach(async () => {
  await change(network('192.0.2.0 - 192.0.2.255'));
  requested = [];
});

/** Stores an object, and waits until the index has it. */
async function change(text: string): Promise<void> {
  await searching.indexer.reached('TEST', searching.registry.put(text), AbortSignal.timeout(60_000));
}

const annotations = { managedAttributes: false, resourceHolder: false, abuseContact: true, roaCheck: false };

async function contactOf(query: string): Promise<string | undefined> {
  const [found] = await searching.objects({ query, flags: ['r'], annotations });
  return found!.abuseContact?.key;
}

test('geo is asked once for objects that are alike: same parent, same attributes', async () => {
  expect(await contactOf('10.1.0.0/24')).toBe('for 10.1.0.0 - 10.1.0.255');
  expect(await contactOf('10.2.0.0/24')).toBe('for 10.1.0.0 - 10.1.0.255');
  expect(await contactOf('10.3.0.0/24')).toBe('for 10.1.0.0 - 10.1.0.255');
  expect(requested).toEqual(['10.1.0.0 - 10.1.0.255']);
});

test.each([
  ['with another parent', '10.1.0.0/24', '10.1.0.16/28'],
  ['with other attributes', '10.1.0.0/24', '10.4.0.0/24'],
  ['of another type', '10.0.0.0/8', 'AS64496'],
  ['that are organisations', 'ORG-A1-TEST', 'ORG-B1-TEST'],
])('geo is asked again for objects %s', async (_what, one, other) => {
  await contactOf(one);
  await contactOf(other);
  expect(requested).toHaveLength(2);
});

test('AS numbers with the same attributes are alike', async () => {
  await contactOf('AS64496');
  await contactOf('AS64497');
  expect(requested).toEqual(['as64496']);
});

test('a page asks for each kind once', async () => {
  const found = await searching.objects({ query: '10.0.0.0/8', flags: ['r', 'M'], annotations });
  expect(found).toHaveLength(5);
  expect(requested).toEqual(['10.1.0.0 - 10.1.0.255', '10.1.0.16 - 10.1.0.31', '10.4.0.0 - 10.4.0.255']);
});

test.each([
  ['a network', network('198.51.100.0 - 198.51.100.255'), 2],
  ['a role', 'role: R\nnic-hdl: AR1-TEST\nsource: TEST\n', 2],
  ['an organisation', 'organisation: ORG-C1-TEST\norg-name: C\nsource: TEST\n', 2],
  ['a person', 'person: P\nnic-hdl: P1-TEST\nsource: TEST\n', 1],
])('after a change of %s', async (_what, text, expected) => {
  await contactOf('10.1.0.0/24');
  await change(text);
  await contactOf('10.2.0.0/24');
  expect(requested).toHaveLength(expected);
});

test('what changes while geo is asked is not kept', async () => {
  meanwhile = async () => {
    meanwhile = async () => {};
    await change('role: R\nnic-hdl: AR2-TEST\nsource: TEST\n');
  };
  await contactOf('10.1.0.0/24');
  await contactOf('10.1.0.0/24');
  await contactOf('10.1.0.0/24');
  expect(requested).toHaveLength(2);
});

test('a failure is not kept', async () => {
  isAway = true;
  expect(await contactOf('10.1.0.0/24')).toBeUndefined();
  isAway = false;
  expect(await contactOf('10.1.0.0/24')).toBe('for 10.1.0.0 - 10.1.0.255');
});

test('of an object with very many mntners nothing is kept', async () => {
  const mntners = Array.from({ length: 100 }, (_, at) => `mnt-by: MANY${at}-MNT\n`).join('');
  await change(network('10.5.0.0 - 10.5.0.255', mntners));
  await contactOf('10.5.0.0/24');
  await contactOf('10.5.0.0/24');
  expect(requested).toHaveLength(2);
});

test('of an object that the caller has nothing is kept', async () => {
  const text = network('10.2.0.0 - 10.2.0.255');
  const object = { source: 'TEST', type: '', key: '', text, revision: 1, serial: 1n, contacts: [], tags: [] };
  await searching.client.annotateObject({ object, annotations, client: '' }, { deadlineMs: 60_000 });
  await contactOf('10.2.0.0/24');
  expect(requested).toHaveLength(2);
});
