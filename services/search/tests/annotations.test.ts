import { Severity } from '@cadastre/proto/registry';
import type { Annotations } from '@cadastre/proto/search';
import { firstOf, type RpslObject } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DescribeHolders } from '../src/annotations/holders.js';
import { type Searching, startSearching } from './searching.js';

const operators = 'mnt-by: RS-MNT\n';
const holder = 'mnt-by: HOLDER-MNT\n';

const stored = [
  `inetnum: 192.0.2.0 - 192.0.2.255\nnetname: ALLOCATED\norg: ORG-LIR1-TEST\nstatus: ALLOCATED PA\n${operators}mnt-by: HOLDER-MNT, rs2-MNT\nsource: TEST\n`,
  `inetnum: 198.51.100.0 - 198.51.100.255\nnetname: PI\nstatus: ASSIGNED PI\n${operators}source: TEST\n`,
  `inetnum: 203.0.113.0 - 203.0.113.255\nnetname: FREE-PI\nstatus: ASSIGNED PI\n${holder}source: TEST\n`,
  `inet6num: 2001:db8::/32\nnetname: SIX\nstatus: ALLOCATED-BY-RIR\n${holder}source: TEST\n`,
  `aut-num: AS64496\nas-name: ONE\norg: ORG-OWN1-TEST\nstatus: ASSIGNED\n${operators}source: TEST\n`,
  `aut-num: AS64497\nas-name: TWO\norg: ORG-FREE1-TEST\nstatus: ASSIGNED\n${holder}source: TEST\n`,
  `organisation: ORG-LIR1-TEST\norg-name: Lir\norg-type: LIR\n${holder}source: TEST\n`,
  `organisation: ORG-OWN1-TEST\norg-name: Owner\norg-type: OTHER\n${holder}source: TEST\n`,
  `organisation: ORG-FREE1-TEST\norg-name: Free\norg-type: OTHER\n${holder}source: TEST\n`,
  `route: 192.0.2.0/24\norigin: AS64496\n${holder}source: TEST\n`,
];

const none: Annotations = { managedAttributes: false, resourceHolder: false, abuseContact: false, roaCheck: false };
const conflict = { severity: Severity.SEVERITY_WARNING, text: 'conflict', args: [], attribute: undefined };
let holdersFail = false;

const describeHolders: DescribeHolders = async (page, { resourceHolder, abuseContact }) => {
  if (holdersFail) throw new ServiceError('unavailable', 'objects is away');
  return page.map(({ stored: { key } }) => ({
    ...(resourceHolder ? { resourceHolder: { key: 'ORG-X', name: `holder of ${key}` } } : {}),
    ...(abuseContact ? { abuseContact: { key: 'ABUSE1', email: 'abuse@example.net', suspect: false, orgId: '' } } : {}),
  }));
};

const checkRoute = (route: RpslObject) => (firstOf(route, 'origin') ? [conflict] : []);

let searching: Searching;

beforeAll(async () => {
  searching = await startSearching(stored, { describeHolders, checkRoute, operators: new Set(['rs-mnt', 'rs2-mnt']) });
});

afterAll(() => searching?.stop());

async function first(query: string, annotations: Partial<Annotations>) {
  const flags = ['r'];
  const [found] = await searching.objects({ query, flags, annotations: { ...none, ...annotations } });
  return found!;
}

describe('managed attributes', () => {
  test.each([
    ['192.0.2.0/24', ['inetnum', 'netname', 'org', 'status', 'source'], ['RS-MNT', 'rs2-MNT']],
    ['198.51.100.0/24', ['inetnum', 'status', 'mnt-by', 'source'], ['RS-MNT']],
    ['2001:db8::/32', ['inet6num', 'netname', 'status', 'source'], []],
    ['AS64496', ['aut-num', 'org', 'status', 'mnt-by', 'source'], ['RS-MNT']],
    ['ORG-LIR1-TEST', ['organisation', 'org-name', 'org-type', 'source'], []],
    ['ORG-OWN1-TEST', ['organisation', 'org-name', 'org-type', 'source'], []],
  ])('%s: %j, and of the maintainers %j', async (query, attributes, maintainers) => {
    const found = await first(query, { managedAttributes: true });
    expect([found.managed, found.managedAttributes]).toEqual([true, attributes]);
    expect(found.managedMaintainers).toEqual(maintainers);
  });

  test.each(['203.0.113.0/24', 'AS64497', 'ORG-FREE1-TEST', '192.0.2.0/24AS64496'])(
    '%s is not managed',
    async (query) => {
      const found = await first(query, { managedAttributes: true });
      expect([found.managed, found.managedAttributes]).toEqual([false, []]);
    },
  );

  test('there are no annotations by default', async () => {
    const found = await first('192.0.2.0/24', {});
    expect([found.managed, found.managedAttributes]).toEqual([undefined, []]);
  });
});

describe('resource holder and abuse contact', () => {
  test('are requested together, for resources and organisations only', async () => {
    const wanted = { resourceHolder: true, abuseContact: true };
    const network = await first('192.0.2.0/24', wanted);
    expect(network.resourceHolder?.name).toBe('holder of 192.0.2.0 - 192.0.2.255');
    expect(network.abuseContact?.email).toBe('abuse@example.net');
    const route = await first('192.0.2.0/24AS64496', wanted);
    expect([route.resourceHolder, route.abuseContact]).toEqual([undefined, undefined]);
  });

  test('each only on request', async () => {
    const { resourceHolder, abuseContact } = await first('AS64496', { resourceHolder: true });
    expect([resourceHolder?.key, abuseContact]).toEqual(['ORG-X', undefined]);
  });

  test('when holders cannot be found, the objects come without, and a warning says so', async () => {
    holdersFail = true;
    const annotations = { ...none, abuseContact: true };
    const responses = await searching.responses({ query: '192.0.2.0/24', annotations }).finally(() => {
      holdersFail = false;
    });
    expect(responses.flatMap((one) => one.objects)).not.toHaveLength(0);
    expect(responses.flatMap((one) => one.messages)).toMatchObject([{ severity: Severity.SEVERITY_WARNING }]);
  });
});

describe('of an object that the caller has', () => {
  const wanted = { managedAttributes: true, resourceHolder: true, abuseContact: true, roaCheck: false };
  const annotate = async (text: string) => {
    const object = { source: 'TEST', type: '', key: '', text, revision: 1, serial: 1n, contacts: [], tags: [] };
    return searching.client.annotateObject({ object, annotations: wanted, client: '' }, { deadlineMs: 60_000 });
  };

  test.each(stored)('are those of a search: %s', async (text) => {
    const key = text.slice(text.indexOf(' ') + 1, text.indexOf('\n'));
    const route = text.startsWith('route:');
    const query = route ? `${key}AS64496` : key;
    const { object: _object, ...annotations } = await first(query, wanted);
    expect(await annotate(text)).toEqual({ annotations, messages: [] });
  });

  test('need no index', async () => {
    const { annotations } = await annotate(
      `aut-num: AS64511\nas-name: NEW\nstatus: ASSIGNED\n${operators}source: TEST\n`,
    );
    expect(annotations).toMatchObject({ managed: true, resourceHolder: { name: 'holder of as64511' } });
  });

  test('are missing with a warning while holders cannot be found', async () => {
    holdersFail = true;
    const response = await annotate(stored[0]!).finally(() => {
      holdersFail = false;
    });
    expect(response.annotations).toMatchObject({ managed: true });
    expect(response.annotations).not.toHaveProperty('abuseContact.email');
    expect(response.messages).toMatchObject([{ severity: Severity.SEVERITY_WARNING }]);
  });

  test.each(['', 'no object', 'nonsense: x\n'])('are refused for the text "%s"', async (text) => {
    await expect(annotate(text)).rejects.toMatchObject({ kind: 'invalid' });
  });
});

test('routes are compared with ROAs on request', async () => {
  expect((await first('192.0.2.0/24AS64496', { roaCheck: true })).messages).toEqual([conflict]);
  expect((await first('192.0.2.0/24AS64496', {})).messages).toEqual([]);
  expect((await first('AS64496', { roaCheck: true })).messages).toEqual([]);
});
