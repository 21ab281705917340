import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cadastre, type Finished } from './harness/cadastre.js';
import { type Answer, type Rest, restClient } from './harness/rest.js';
import { freshDirectory, inOneProcess, type RunningSystem, runSystem } from './harness/run-system.js';
import { documentOf, objectOf, values, type WhoisObject } from './harness/whois.js';

// Invented objects in the shapes of the dumps that registries publish (ADR 0033).

const registries = ['ripe', 'apnic', 'arin', 'lacnic', 'afrinic', 'radb', 'jpirr'] as const;
type Registry = (typeof registries)[number];

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };
const loads = new Map<Registry, Finished>();

const dumpOf = (name: Registry) => fileURLToPath(new URL(`published-dumps/${name}.db`, import.meta.url));
const copyOf = (name: Registry) => `${name.toUpperCase()}-GRS`;
const load = (name: Registry, ...more: string[]) =>
  cadastre(system, ['load', '--source', copyOf(name), '--wait', ...more, dumpOf(name)]);

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory, { ...inOneProcess, CADASTRE_GRS_SOURCES: registries.map(copyOf).join(',') });
  rest = restClient(system);
  for (const name of registries) loads.set(name, await load(name, ...(name === 'jpirr' ? ['--utf8'] : [])));
});

afterAll(async () => {
  rest?.close();
  await system?.stop();
  await data.remove();
});

const lookup = (name: Registry, type: string, key: string, accept = 'application/json') =>
  rest(`/${copyOf(name)}/${type}/${encodeURIComponent(key)}`, { accept });

const nameOf = ({ type, 'primary-key': { attribute } }: WhoisObject) =>
  `${type} ${attribute.map(({ value }) => value).join('')}`;

async function searched(name: Registry, query: string): Promise<string[]> {
  const answer = await rest(`/search.json?source=${copyOf(name)}&flags=no-referenced&${query}`);
  return (documentOf(answer).objects?.object ?? []).map(nameOf);
}

describe('a copy of another registry', () => {
  test.each<[Registry, number]>([
    ['ripe', 7],
    ['apnic', 7],
    ['arin', 5],
    ['lacnic', 3],
    ['afrinic', 4],
  ])('takes all that %s publishes', async (name, objects) => {
    const { code, stdout, stderr } = loads.get(name)!;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`${objects} created, 0 modified, 0 unchanged, 0 deleted, 0 rejected`);
    expect((await load(name)).stdout).toContain(`0 created, 0 modified, ${objects} unchanged`);
  });

  test('rejects what has no key of its type or is not of the registry, and counts it by reason', () => {
    const { code, stdout, stderr } = loads.get('radb')!;
    expect([code, stdout.split('\n')[0]]).toEqual([1, expect.stringMatching(/^8 created, .* 0 deleted, 5 rejected /)]);
    const line = (name: string) => stderr.split('\n').find((one) => one.includes(name));
    expect(line('dictionary:')).toContain('Invalid object type: dictionary');
    expect(line('192.0.2.0/25')).toContain('The object is of the source ALTDB, not of RADB');
    const report = stdout.split('\n').slice(1, -1);
    expect(report).toHaveLength(5);
    expect(report).toContain(
      '1 rejected: The object does not say its source (for example route 192.0.2.64/26 AS64504)',
    );
    expect(report).toContainEqual(
      expect.stringMatching(/^1 rejected: Not the key of a route\. Expected: An IPv4 prefix /),
    );
    expect(report).toContain(
      '1 rejected: Multiple route: found in route (for example route 192.0.2.0/26 AS64504 192.0.2.0/27 AS64504)',
    );
  });

  test('takes UTF-8, and rejects a type of other registries', () => {
    const { code, stdout } = loads.get('jpirr')!;
    expect(code).toBe(1);
    expect(stdout).toMatch(/^2 created, .* 1 rejected /);
    expect(stdout).toContain('1 rejected: Invalid object type: maintainer (for example maintainer: MAINT-AS64506)\n');
  });

  test('without an object that IRRd has deleted in place', async () => {
    expect(loads.get('radb')!.stdout + loads.get('radb')!.stderr).not.toContain('xxte');
    expect(values(objectOf(await lookup('radb', 'route', '198.51.100.0/24AS64504')), 'mnt-by')).toEqual([
      'MAINT-EXAMPLE.NET',
    ]);
  });
});

const objects: [Registry, string, string][] = [
  ['ripe', 'person', 'DUMY-RIPE'],
  ['ripe', 'role', 'role-ripe'],
  ['ripe', 'organisation', 'ORG-EXMPL12-RIPE'],
  ['ripe', 'mntner', 'EXAMPLE-MNT'],
  ['ripe', 'inetnum', '192.0.2.0/24'],
  ['ripe', 'route6', '2001:db8::/32AS64500'],
  ['ripe', 'domain', '0/25.2.0.192.in-addr.arpa'],
  ['apnic', 'inetnum', '198.51.100.0 - 198.51.100.255'],
  ['apnic', 'irt', 'IRT-EXAMPLE-AP'],
  ['apnic', 'role', 'AE1234-AP'],
  ['apnic', 'person', 'HOSTMASTER-AP'],
  ['apnic', 'person', 'JP00012345'],
  ['apnic', 'aut-num', 'AS64501'],
  ['apnic', 'as-block', 'AS64496 - AS64511'],
  ['arin', 'route', '203.0.113.0/24AS64502'],
  ['arin', 'mntner', 'MNT-EXAMPL-12'],
  ['arin', 'organisation', 'EXAMPL-12'],
  ['arin', 'aut-num', 'AS64502'],
  ['arin', 'route-set', 'RS-EXAMPLE'],
  ['lacnic', 'aut-num', 'AS64503'],
  ['lacnic', 'inetnum', '192.0.2.128 - 192.0.2.255'],
  ['lacnic', 'person', 'AIL'],
  ['afrinic', 'inetnum', '198.51.100.0 - 198.51.100.127'],
  ['afrinic', 'inet6num', '2001:db8:1::/48'],
  ['afrinic', 'organisation', 'ORG-EX1-AFRINIC'],
  ['afrinic', 'role', 'EXAMPLE-1-AFRINIC'],
  ['radb', 'route', '192.0.2.0/24AS64504'],
  ['radb', 'route', '203.0.113.0/24AS64505'],
  ['radb', 'mntner', 'MAINT-EXAMPLE.NET'],
  ['radb', 'as-set', 'AS64504:AS-ALL:AS-CUSTOMERS'],
  ['radb', 'as-set', 'AS-EXAMPLE.NET'],
  ['radb', 'inet-rtr', 'router.example.net'],
  ['radb', 'key-cert', 'PGPKEY-0123456789ABCDEF'],
  ['jpirr', 'route', '203.0.113.128/25AS64506'],
  ['jpirr', 'mntner', 'MAINT-AS64506'],
];

describe('an object of a copy', () => {
  test.each(objects)(
    '%s %s %s is shown in JSON, XML and text, with the copy as its source',
    async (name, type, key) => {
      const source = copyOf(name);
      const [json, xml, text] = await Promise.all([
        lookup(name, type, key),
        lookup(name, type, key, 'application/xml'),
        lookup(name, type, key, 'text/plain'),
      ]);
      expect([json, xml, text].map(({ status }: Answer) => status)).toEqual([200, 200, 200]);
      const object = objectOf(json);
      expect([object.type, object.source.id, values(object, 'source')]).toEqual([type, source.toLowerCase(), [source]]);
      expect(xml.text).toContain(`<attribute name="source" value="${source}"`);
      expect(text.text).toMatch(new RegExp(`^source: {9}${source}(?: # Filtered)?$`, 'm'));
    },
  );

  test.each(objects)('%s %s %s is found by its key', async (name, type, key) => {
    const found = await searched(name, `type-filter=${type}&query-string=${encodeURIComponent(key)}`);
    expect(found).toContain(nameOf(objectOf(await lookup(name, type, key))));
  });

  test.each<[Registry, string, string, string[]]>([
    ['apnic', 'admin-c', 'HOSTMASTER-AP', ['inetnum 198.51.100.0 - 198.51.100.255']],
    ['radb', 'mnt-by', 'MAINT-EXAMPLE.NET', ['route 198.51.100.0/24AS64504', 'mntner MAINT-EXAMPLE.NET']],
    ['radb', 'origin', 'AS64504', ['route 192.0.2.0/24as64504', 'route 198.51.100.0/24AS64504']],
    ['ripe', 'org', 'ORG-EXMPL12-RIPE', ['inetnum 192.0.2.0 - 192.0.2.255']],
  ])('of %s is found by its %s %s', async (name, attribute, value, expected) => {
    expect(await searched(name, `inverse-attribute=${attribute}&query-string=${value}`)).toEqual(expected);
  });

  test('keeps attributes that this registry does not know', async () => {
    expect(values(objectOf(await lookup('radb', 'route', '198.51.100.0/24AS64504')), 'rpki-ov-state')).toEqual([
      'not_found',
    ]);
    const { text } = await lookup('lacnic', 'inetnum', '192.0.2.128/25', 'text/plain');
    expect(text).toContain('inetrev:        192.0.2.128/25\n');
  });

  test('has latin-1 letters, and question marks for control characters', async () => {
    expect(values(objectOf(await lookup('ripe', 'inetnum', '192.0.2.0/24')), 'descr')).toEqual(['Café in Zürich', '']);
    expect(values(objectOf(await lookup('radb', 'route', '198.51.100.0/24AS64504')), 'descr')).toEqual([
      'curly quotes of another code page: ?here?',
    ]);
  });

  test('the own registry has no such names', async () => {
    expect((await rest('/TEST/person/HOSTMASTER-AP')).status).toBe(404);
    expect((await rest('/TEST-NONAUTH/person/HOSTMASTER-AP')).status).toBe(404);
  });
});
