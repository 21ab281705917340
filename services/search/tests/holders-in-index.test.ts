import { policy } from '@cadastre/rpsl/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DescribeHolders } from '../src/annotations/holders.js';
import { type Searching, startSearching } from './searching.js';

const network = (range: string, ...more: string[]) =>
  `${[`inetnum: ${range}`, 'netname: N', 'mnt-by: EX-MNT', ...more, 'source: TEST'].join('\n')}\n`;
const role = (handle: string, mailbox: string) =>
  `role: Abuse\nnic-hdl: ${handle}\nabuse-mailbox: ${mailbox}\nsource: TEST\n`;
const large = Array.from({ length: 16_000 }, (_, n) => `remarks: a long line of text, with the number ${n}`).join('\n');

const stored = [
  network('0.0.0.0 - 255.255.255.255', 'abuse-c: AR1-TEST'),
  network('10.0.0.0 - 10.255.255.255', 'org: ORG-A1-TEST'),
  network('10.1.0.0 - 10.1.255.255', 'mnt-lower: RS-MNT'),
  network('10.1.2.0 - 10.1.2.255'),
  network('10.2.0.0 - 10.2.255.255', 'abuse-c: ar2-test'),
  network('10.2.2.0 - 10.2.2.255', 'sponsoring-org: ORG-L1-TEST'),
  network('10.3.0.0 - 10.3.0.255', 'abuse-c: NO9-TEST'),
  network('172.16.0.0 - 172.16.255.255', 'abuse-c: DEAD1-TEST', 'org: ORG-L1-TEST'),
  network('192.0.2.0 - 192.0.2.255'),
  network('198.51.0.0 - 198.51.255.255', large, 'abuse-c: AR1-TEST'),
  network('198.51.100.0 - 198.51.100.255'),
  'aut-num: AS64496\nas-name: A\norg: ORG-A1-TEST\nsource: TEST\n',
  'organisation: ORG-A1-TEST\norg-name: First\nabuse-c: AR1-TEST\nsource: TEST\n',
  'organisation: ORG-L1-TEST\norg-name: Local registry\norg-type: LIR\nsource: TEST\n',
  role('AR1-TEST', 'one@example.net'),
  role('AR2-TEST', 'two@example.net'),
  role('DEAD1-TEST', 'dead@example.net'),
];

/** The keys that the objects service was asked about. */
let requested: string[] = [];
const describeHolders: DescribeHolders = async (page) => {
  requested.push(...page.map(({ stored: { key } }) => key));
  return page.map(() => ({ abuseContact: { key: 'ELSE1-TEST', email: '', suspect: false, orgId: '' } }));
};

let searching: Searching;
beforeAll(async () => {
  searching = await startSearching(stored, { describeHolders }, {}, policy);
});
afterAll(() => searching?.stop());
beforeEach(() => {
  requested = [];
});

const annotations = { managedAttributes: false, resourceHolder: true, abuseContact: true, roaCheck: false };
const found = (query: string, ...flags: string[]) => searching.objects({ query, flags: ['r', ...flags], annotations });

test.each<[string, string, string | undefined, string | undefined, string?]>([
  ['of the organisation', '10.0.0.0/8', 'AR1-TEST one@example.net', 'ORG-A1-TEST', 'ORG-A1-TEST'],
  ['not from above an object of the operator', '10.1.2.0/24', undefined, 'ORG-A1-TEST'],
  [
    'of the network around it, whatever the letter case',
    '10.2.2.0/24',
    'AR2-TEST two@example.net',
    'ORG-A1-TEST',
    'ORG-L1-TEST',
  ],
  [
    'of a larger network where its own does not exist',
    '10.3.0.0/24',
    'AR1-TEST one@example.net',
    'ORG-A1-TEST',
    'ORG-A1-TEST',
  ],
  ['with a mailbox that does not work', '172.16.0.0/16', 'DEAD1-TEST dead@example.net !', 'ORG-L1-TEST', 'ORG-L1-TEST'],
  ['none from the root', '192.0.2.0/24', undefined, undefined],
  ['of an AS number', 'AS64496', 'AR1-TEST one@example.net', 'ORG-A1-TEST', 'ORG-A1-TEST'],
  ['of an organisation', 'ORG-A1-TEST', 'AR1-TEST one@example.net', undefined, ''],
])('the index has the abuse contact and the holder: %s', async (_what, query, contact, holder, orgId) => {
  const [{ abuseContact: one, resourceHolder } = {}] = await found(query);
  expect(one && `${one.key} ${one.email}${one.suspect ? ' !' : ''}`).toBe(contact);
  expect(one?.orgId).toBe(contact === undefined ? undefined : orgId);
  expect(resourceHolder?.key).toBe(holder);
  expect(requested).toEqual([]);
});

test('a page has those of each of its objects', async () => {
  const contacts = (await found('10.0.0.0/8', 'M')).map(({ object, abuseContact }) => [object!.key, abuseContact?.key]);
  expect(contacts).toEqual([
    ['10.1.0.0 - 10.1.255.255', undefined],
    ['10.1.2.0 - 10.1.2.255', undefined],
    ['10.2.0.0 - 10.2.255.255', 'AR2-TEST'],
    ['10.2.2.0 - 10.2.2.255', 'AR2-TEST'],
    ['10.3.0.0 - 10.3.0.255', 'AR1-TEST'],
  ]);
});

test('a change of a role counts from the next search on', async () => {
  const serial = searching.registry.put(role('AR2-TEST', 'new@example.net'));
  await searching.indexer.reached('TEST', serial, AbortSignal.timeout(60_000));
  expect((await found('10.2.0.0/16'))[0]!.abuseContact?.email).toBe('new@example.net');
});

describe('the objects service finds', () => {
  test('those of objects in very large ones, which it reads in part', async () => {
    const contacts = (await found('198.51.0.0/16', 'M')).map(({ abuseContact }) => abuseContact?.key);
    expect(contacts).toEqual(['ELSE1-TEST']);
    expect(requested).toEqual(['198.51.100.0 - 198.51.100.255']);
  });

  test('those of an object that the caller has', async () => {
    const object = {
      ...{ source: 'TEST', type: '', key: '', text: network('10.2.0.0 - 10.2.255.255') },
      ...{ revision: 1, serial: 1n, contacts: [], tags: [] },
    };
    await searching.client.annotateObject({ object, annotations, client: '' }, { deadlineMs: 60_000 });
    expect(requested).toEqual(['10.2.0.0 - 10.2.255.255']);
  });
});
