import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  ContainedScope,
  HierarchyServiceService,
  ObjectReaderServiceService,
  SourceKind,
} from '@cadastre/proto/objects';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cadastre, fake, startFakeRegistry } from './fake-registry.js';

const texts: Record<string, string[]> = {
  inetnum: ['inetnum:        192.0.2.0 - 192.0.2.255\nnetname:        A\n', 'inetnum: 198.51.100.0 - 198.51.100.255\n'],
  inet6num: ['inet6num:       2001:db8::/32\n'],
  'as-block': ['as-block:       AS64496 - AS64511\n'],
};
function object(text: string) {
  const none = { created: undefined, lastModified: undefined, contacts: [], tags: [] };
  return { source: 'TEST', type: '', key: '', text, revision: 1, serial: 1n, ...none };
}

const requested: unknown[] = [];
let directory: string;
let registry: Awaited<ReturnType<typeof startFakeRegistry>>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-cli-rdap-'));
  registry = await startFakeRegistry([
    fake(ObjectReaderServiceService, {
      listSources: async () => ({
        sources: [
          { name: 'TEST', kind: SourceKind.SOURCE_KIND_MAIN, serial: 7n },
          { name: 'EAST-GRS', kind: SourceKind.SOURCE_KIND_GRS, serial: 7n },
        ],
      }),
    }),
    fake(HierarchyServiceService, {
      async *listContained({ source, resource, type, scope }) {
        requested.push({ source, resource, scope });
        for (const text of texts[type]!) yield { objects: [object(text)] };
      },
    }),
  ]);
});

afterAll(async () => {
  await registry.stop();
  await rm(directory, { recursive: true, force: true });
});

const run = (...args: string[]) => cadastre(['rdap', ...args], registry.env);
const read = async (name: string) => JSON.parse(await readFile(join(directory, `${name}.json`), 'utf8')).services;

test('bootstrap writes the files of the outermost objects', async () => {
  const { code, stdout, stderr } = await run('bootstrap', '--out', directory, '--url', 'https://rdap.example.net');
  expect([code, stdout, stderr]).toEqual([0, '', '4 outermost objects of TEST\n']);
  const scope = ContainedScope.CONTAINED_SCOPE_CHILDREN;
  expect(requested).toEqual([
    { source: 'TEST', resource: '0.0.0.0/0', scope },
    { source: 'TEST', resource: '::/0', scope },
    { source: 'TEST', resource: 'AS0 - AS4294967295', scope },
  ]);
  const urls = ['https://rdap.example.net/'];
  expect(await read('ipv4')).toEqual([[['192.0.2.0/24', '198.51.100.0/24'], urls]]);
  expect(await read('ipv6')).toEqual([[['2001:db8::/32'], urls]]);
  expect(await read('asn')).toEqual([[['64496-64511'], urls]]);
  expect(await read('dns')).toEqual([
    [['2.0.192.in-addr.arpa', '100.51.198.in-addr.arpa', '8.b.d.0.1.0.0.2.ip6.arpa'], urls],
  ]);
  expect(await read('object-tags')).toEqual([[[], ['TEST'], urls]]);
});

test('redirects writes what the registries have delegated, and bootstrap leaves it out', async () => {
  const east = join(directory, 'delegated-east');
  const west = join(directory, 'delegated-west.gz');
  await writeFile(
    east,
    '2|east|1|1|1|1|+0000\neast|AU|asn|64500|2|20300101|allocated|A\neast|AU|asn|1|1||available|\n',
  );
  await writeFile(west, gzipSync('west|CA|ipv4|203.0.113.0|256|20300101|assigned|B\r\n'));
  const redirects = await run(
    ...['redirects', '--out', directory],
    ...[`https://rdap.east.example/=${east}`, `https://rdap.west.example/=${west}`],
  );
  expect(redirects).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await read('ipv4')).toEqual([[['203.0.113.0/24'], ['https://rdap.west.example/']]]);
  expect(await read('ipv6')).toEqual([]);
  expect(await read('asn')).toEqual([[['64500-64501'], ['https://rdap.east.example/']]]);

  await run('bootstrap', '--out', directory, '--url', 'https://rdap.example.net', '--others', directory);
  expect(await read('asn')).toEqual([[['64496-64499', '64502-64511'], ['https://rdap.example.net/']]]);
});

test.each([
  [['bootstrap', '--out', '.', '--url', 'rdap.example.net'], '"rdap.example.net" is not a base URL'],
  [['bootstrap', '--out', '.', '--url', 'https://a.example/?x'], '"https://a.example/?x" is not a base URL'],
  [
    ['bootstrap', '--out', '.', '--url', 'https://a.example', '--others', '/nowhere'],
    '/nowhere has no bootstrap files',
  ],
  [['redirects', '--out', '.', 'https://a.example'], '"https://a.example" is not URL=FILE'],
  [['redirects', '--out', '.', 'https://a.example=/nowhere'], '/nowhere: no such file'],
])('%j fails', async (args, message) => {
  const { code, stderr } = await run(...args);
  expect([code, stderr]).toEqual([2, `cadastre: ${message}\n`]);
});

test('redirects names the line that it cannot read', async () => {
  const file = join(directory, 'delegated');
  await writeFile(file, '# A comment.\neast|AU|asn|64500\n');
  const { code, stderr } = await run('redirects', '--out', directory, `https://a.example=${file}`);
  expect([code, stderr]).toEqual([2, `cadastre: ${file}:2: not a delegation: east|AU|asn|64500\n`]);
});
