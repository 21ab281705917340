import { OmissionReason, SetServiceService } from '@cadastre/proto/whois';
import { connect, SettingsError } from '@cadastre/service';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createRegistry, type Registry } from './registry.fixture.js';
import { beginWhois, type RunningWhois, startWhois } from './whois.fixture.js';

function routes(source: string, ...prefixes: readonly string[]): string {
  const texts = prefixes.map((prefix) => {
    return `route${prefix.includes(':') ? '6' : ''}: ${prefix}\norigin: AS64500\nmnt-by: A-MNT\nsource: ${source}`;
  });
  return `${texts.join('\n\n')}\n`;
}

const set = 'as-set: AS-EX\nmembers: AS64500\nmnt-by: A-MNT\nsource: TEST\n';
const own = ['192.0.2.0/24', '198.51.100.0/25', '2001:db8:1::/48'];
const first = [
  '192.0.2.0/24',
  '203.0.113.0/24',
  '198.51.100.0/24',
  '2001:db8:1:2::/64',
  '2001:db8:2::/48',
  '10.1.0.0/16',
];
const second = ['203.0.113.128/25', '10.0.0.0/8', '2001:db8::/32', '100.64.0.0/10', '198.51.100.128/25'];
const free = ['192.0.2.128/25', '203.0.113.0/25'];
const sources = ['FIRST', 'SECOND', 'FREE'];

const settings = {
  CADASTRE_GRS_SOURCES: sources.join(),
  CADASTRE_WHOIS_ROUTE_PREFERENCE: 'TEST,FIRST,SECOND',
};

let registry: Registry;
let whois: RunningWhois;

beforeAll(async () => {
  registry = createRegistry(['TEST', ...sources]);
  registry.put(`${set}\n${routes('TEST', ...own)}`);
  registry.put(routes('FIRST', ...first), 'FIRST');
  registry.put(routes('SECOND', ...second), 'SECOND');
  registry.put(routes('FREE', ...free), 'FREE');
  whois = await startWhois(registry, settings, { preferenceIntervalMs: 10 });
});
afterAll(() => whois.stop());

async function prefixesOf(source: string): Promise<string[]> {
  const [, ...answers] = await whois.answers([`!s${source}`, '!gAS64500', '!6AS64500']);
  return answers.flatMap((answer) => (answer === 'D\n' ? [] : answer.split('\n')[1]!.split(' ')));
}

test.each([
  ['TEST', own],
  ['FIRST', ['10.1.0.0/16', '203.0.113.0/24', '2001:db8:2::/48']],
  // The /25 of FIRST's hidden /24 overlaps nothing that is visible.
  ['SECOND', ['100.64.0.0/10', '198.51.100.128/25']],
  ['FREE', free],
])('lists of %s have no route that overlaps a preferred one', async (source, prefixes) => {
  await expect.poll(() => prefixesOf(source)).toEqual(prefixes);
});

test('objects are shown', async () => {
  const [, object] = await whois.answers(['!sFIRST', '!mroute,192.0.2.0/24AS64500']);
  expect(object).toContain('source: FIRST');
});

test('the state of sources has the order as IRRd writes it: the highest number is the most preferred', async () => {
  const [answer = ''] = await whois.answers(['!J-*']);
  const described: Record<string, { route_preference: unknown }> = JSON.parse(answer.split('\n').slice(1, -2).join(''));
  const preferences = Object.entries(described).map(([name, { route_preference: number }]) => [name, number]);
  expect(Object.fromEntries(preferences)).toEqual({ TEST: 3, FIRST: 2, SECOND: 1, FREE: null, 'TEST-NONAUTH': null });
});

test('an explanation names what is left out', async () => {
  const sets = connect(SetServiceService, { address: whois.address, deadlineMs: 60_000 });
  const request = {
    sources: ['TEST', 'FIRST'],
    routeSources: [],
    name: 'AS-EX',
    family: 0,
    aggregate: false,
    byOrigin: false,
    client: '',
  };
  const named: string[] = [];
  for await (const { omissions } of sets.expandSet({ ...request, excludedSets: [], explain: true })) {
    for (const { reason, prefix, sources } of omissions?.list ?? []) {
      if (reason === OmissionReason.OMISSION_REASON_LESS_PREFERRED) named.push(`${prefix} ${sources.join()}`);
    }
  }
  sets.close();
  expect(named).toEqual(['198.51.100.0/24 FIRST', '2001:db8:1:2::/64 FIRST']);
});

test('a change of a preferred source hides routes of others, and shows them again', async () => {
  const before = await prefixesOf('SECOND');
  registry.put(routes('TEST', '100.64.1.0/24'));
  await expect.poll(() => prefixesOf('SECOND')).toEqual(before.filter((prefix) => prefix !== '100.64.0.0/10'));
  registry.remove('route', '100.64.1.0/24AS64500');
  await expect.poll(() => prefixesOf('SECOND')).toEqual(before);
});

test('a new route is compared immediately', async () => {
  registry.put(routes('FIRST', '192.0.2.64/26', '100.100.0.0/16'), 'FIRST');
  await vi.waitFor(async () => expect(await prefixesOf('FIRST')).toContain('100.100.0.0/16'), 150_000);
  expect(await prefixesOf('FIRST')).not.toContain('192.0.2.64/26');
});

test.each([
  ['TEST,NONE', 'CADASTRE_WHOIS_ROUTE_PREFERENCE: unknown source NONE'],
  ['test,FIRST,Test', 'CADASTRE_WHOIS_ROUTE_PREFERENCE: TEST twice'],
])('%s is no order of sources', async (order, problem) => {
  const started = beginWhois(registry, { ...settings, CADASTRE_WHOIS_ROUTE_PREFERENCE: order });
  await expect(started).rejects.toThrow(new SettingsError([problem]));
});
