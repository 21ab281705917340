import { expect, test } from 'vitest';
import { objectsOf } from './objects.fixture.js';
import { geoOver, registry } from './registry.fixture.js';

const large = `remarks: ${'x'.repeat(5000)}`;
const stored = [
  ...registry,
  ['inetnum: 198.18.0.0 - 198.18.0.255', 'mnt-by: EX-MNT', 'org: ORG-L1-TEST', 'abuse-c: AR2-TEST', large],
  ['organisation: ORG-L1-TEST', 'org-name: Large', 'org-type: LIR', 'abuse-c: AR1-TEST', 'geoloc: 48.2 16.3', large],
];

/** The same questions to geo over objects of this release and over objects of the release before. */
const [present, mixed] = [true, false].map((hasExcerpts) => geoOver(objectsOf(stored, { hasExcerpts })));

const resources = ['192.0.2.1', '192.0.2.100', '198.18.0.1', '2001:db8::1', 'AS64500', 'AS64501', '203.0.113.1', 'foo'];
const keys = [
  { source: 'TEST', type: 'inetnum', key: '192.0.2.0 - 192.0.2.99' },
  { source: 'TEST', type: 'organisation', key: 'ORG-EX1-TEST' },
  { source: 'OTHER-GRS', type: 'inetnum', key: '192.0.2.0 - 192.0.2.255' },
  { source: 'TEST', type: 'inetnum', key: '198.18.0.0 - 198.18.0.255' },
];

test.each<[string, (geo: ReturnType<typeof geoOver>) => Promise<unknown>]>([
  ['abuse contacts', ({ contacts }) => contacts.batchFindAbuseContacts({ resources })],
  ['locations', ({ locations }) => locations.batchLocate({ resources })],
  ['holders', ({ contacts }) => contacts.describeHolders({ keys, abuseContacts: false, resourceHolders: true })],
  [
    'holders and abuse contacts',
    ({ contacts }) => contacts.describeHolders({ keys, abuseContacts: true, resourceHolders: true }),
  ],
])('finds the same %s over the objects service of release 0.2, which knows no excerpts', async (_, ask) => {
  expect(await ask(mixed!)).toEqual(await ask(present!));
});

test('looks up organisations, then their contacts, once for all resources, when release 0.2 does not send them', async () => {
  const { contacts, asked } = geoOver(objectsOf(stored, { hasExcerpts: false }));
  const { answers } = await contacts.batchFindAbuseContacts({ resources: ['AS64500', 'AS64500', 'AS64501'] });
  expect(answers.map(({ contact }) => contact?.role)).toEqual(['AR1-TEST', 'AR1-TEST', undefined]);
  expect(asked).toEqual({ batchFindEnclosing: [2], batchLookup: [1, 1] });
});
