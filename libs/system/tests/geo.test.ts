import { AbuseContactServiceService, GeolocationServiceService } from '@cadastre/proto/geo';
import { connect } from '@cadastre/service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cadastre } from './harness/cadastre.js';
import { freshDirectory, inOneProcess, type RunningSystem, runSystem } from './harness/run-system.js';

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;

const rest = 'admin-c: AE1-TEST\ntech-c: EN1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n';
const object = (...lines: string[]) => `${lines.join('\n')}\n${rest}`;
const inetnum = (range: string, status: string, ...more: string[]) =>
  object(`inetnum: ${range}`, 'netname: GEO-NET', 'country: NL', `status: ${status}`, ...more);
const inet6num = (prefix: string, status: string, ...more: string[]) =>
  object(`inet6num: ${prefix}`, 'netname: GEO-NET6', 'country: NL', `status: ${status}`, ...more);

/** A holder of IPv4 and IPv6 space, a customer with contacts of its own, and space without any contact. */
const dump = [
  `organisation: ORG-GEO1-TEST\norg-name: Geo Networks\norg-type: LIR\naddress: Example Street 1\ne-mail: geo@example.net
abuse-c: GEO1-TEST\nmnt-ref: EXAMPLE-MNT\nmnt-by: EXAMPLE-MNT\nlanguage: fr\nsource: TEST\n`,
  `role: Geo Abuse\naddress: Example Street 1\ne-mail: geo@example.net\nnic-hdl: GEO1-TEST
abuse-mailbox: abuse-geo@example.net\nmnt-by: EXAMPLE-MNT\nsource: TEST\n`,
  inetnum('198.51.100.0 - 198.51.100.255', 'ALLOCATED PA', 'org: ORG-GEO1-TEST', 'geoloc: 48.85 2.35'),
  inetnum('198.51.100.0 - 198.51.100.99', 'ASSIGNED PA', 'remarks: Geofeed https://example.net/geo.csv'),
  inetnum('198.51.100.100 - 198.51.100.119', 'ASSIGNED PA', 'abuse-c: EN1-TEST'),
  inetnum('203.0.113.0 - 203.0.113.255', 'ALLOCATED PA'),
  inet6num('2001:db8:8000::/33', 'ALLOCATED-BY-LIR', 'org: ORG-GEO1-TEST'),
  inet6num('2001:db8:8000::/48', 'ASSIGNED'),
].join('\n');

const options = () => ({ address: system.search, deadlineMs: 60_000 });
let abuse: ReturnType<typeof connect<typeof AbuseContactServiceService>>;
let geolocation: ReturnType<typeof connect<typeof GeolocationServiceService>>;

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory, inOneProcess);
  const loaded = await cadastre(system, ['load', '--source', 'TEST', '--wait', '-'], dump);
  expect(loaded).toMatchObject({ code: 0 });
  abuse = connect(AbuseContactServiceService, options());
  geolocation = connect(GeolocationServiceService, options());
});

afterAll(async () => {
  abuse?.close();
  geolocation?.close();
  await system?.stop();
  await data.remove();
});

describe('abuse contacts', () => {
  test.each([
    ['198.51.100.7', '198.51.100.0 - 198.51.100.99', 'GEO1-TEST'],
    ['198.51.100.0/24', '198.51.100.0 - 198.51.100.255', 'GEO1-TEST'],
    ['198.51.100.90 - 198.51.100.110', '198.51.100.0 - 198.51.100.255', 'GEO1-TEST'],
    ['198.51.100.100 - 198.51.100.119', '198.51.100.100 - 198.51.100.119', 'EN1-TEST'],
    ['2001:db8:8000::1', '2001:db8:8000::/48', 'GEO1-TEST'],
    ['2001:db8:9000::/36', '2001:db8:8000::/33', 'GEO1-TEST'],
    ['192.0.2.77', '192.0.2.0 - 192.0.2.255', 'EN1-TEST'],
    ['AS64500', 'AS64500', 'EN1-TEST'],
  ])('of %s is found at %s', async (resource, key, role) => {
    const { contact } = await abuse.findAbuseContact({ resource });
    expect([contact?.found?.key, contact?.role]).toEqual([key, role]);
  });

  test.each(['203.0.113.1', '8.8.8.8', '2002::1', 'AS64999'])('of %s is not found', async (resource) => {
    await expect(abuse.findAbuseContact({ resource })).rejects.toMatchObject({ kind: 'not-found' });
  });

  test('are returned beside the holders of several objects', async () => {
    const keys = [
      { source: 'TEST', type: 'inetnum', key: '198.51.100.0 - 198.51.100.99' },
      { source: 'TEST', type: 'organisation', key: 'ORG-GEO1-TEST' },
      { source: 'TEST', type: 'inet6num', key: '2001:db8:8000::/48' },
    ];
    const { descriptions } = await abuse.describeHolders({ keys, abuseContacts: true, resourceHolders: true });
    expect(descriptions.map(({ abuseContact, holderName }) => [abuseContact?.email, holderName])).toEqual([
      ['abuse-geo@example.net', 'Geo Networks'],
      ['abuse-geo@example.net', ''],
      ['abuse-geo@example.net', 'Geo Networks'],
    ]);
  });

  test('of many resources come in their order', async () => {
    const resources = Array.from({ length: 1200 }, (_, n) => `198.51.100.${n % 256}`);
    async function* questions() {
      for (const resource of resources) yield { resource };
    }
    const answers: { resource: string; role: string | undefined }[] = [];
    for await (const { resource, contact } of abuse.findAbuseContacts(questions())) {
      answers.push({ resource, role: contact?.role });
    }
    const expected = (n: number) => (n >= 100 && n < 120 ? 'EN1-TEST' : 'GEO1-TEST');
    expect(answers).toEqual(resources.map((resource, n) => ({ resource, role: expected(n % 256) })));
  });
});

test('location, languages and geofeed come from the objects around an address', async () => {
  const { location } = await geolocation.locate({ resource: '198.51.100.7' });
  expect(
    [location?.geoloc, ...(location?.languages ?? []), location?.geofeed].map((one) => [one?.value, one?.holder?.key]),
  ).toEqual([
    ['48.85 2.35', '198.51.100.0 - 198.51.100.255'],
    ['fr', 'ORG-GEO1-TEST'],
    ['https://example.net/geo.csv', '198.51.100.0 - 198.51.100.99'],
  ]);
});

test('an address without location data is not found', async () => {
  await expect(geolocation.locate({ resource: '203.0.113.1' })).rejects.toMatchObject({
    kind: 'not-found',
    messages: [{ text: 'No geolocation data was found for the given ipkey: %s', args: ['203.0.113.1'] }],
  });
});
