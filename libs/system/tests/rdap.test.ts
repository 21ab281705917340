import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { faultsOf, headerFaultsOf } from '@cadastre/rdap/testing';
import { parseObject, primaryKey } from '@cadastre/rpsl';
import { reservePort } from '@cadastre/service';
import { isSkipped } from '@cadastre/service/testing';
import { generateRegistry } from '@cadastre/synthetic';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { cadastre } from './harness/cadastre.js';
import { runProgram } from './harness/run-program.js';
import { freshDirectory, inOneProcess, type RunningSystem, runSystem } from './harness/run-system.js';

// RDAP of a whole registry, and the client programs of others.
const scripts = fileURLToPath(new URL('../../../scripts/rdap-clients/', import.meta.url));
const clients = process.env.CADASTRE_TEST_RDAP_CLIENTS ?? join(homedir(), '.cache/cadastre/rdap-clients');
const python = join(clients, 'python/bin/python');
const rdapTest = process.env.CADASTRE_TEST_RDAP_TEST ?? '';

const bootstrapNames = ['ipv4', 'ipv6', 'asn', 'dns', 'object-tags'];
const contacts = 'admin-c: AE1-TEST\ntech-c: EN1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n';
/** ipwhois and whoisit refuse documentation prefixes. */
const publicNetwork = `inetnum: 193.0.2.0 - 193.0.2.255\nnetname: PUBLIC-NET\ncountry: NL\norg: ORG-EX1-TEST\nstatus: ALLOCATED PA\n${contacts}`;

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
/** Over HTTP and over HTTPS. */
let base: string;
let secureBase: string;

beforeAll(async () => {
  data = await freshDirectory();
  const port = await reservePort();
  base = `http://127.0.0.1:${port}/rdap`;
  const redirects = join(data.directory, 'redirects');
  const bootstrap = join(data.directory, 'bootstrap');
  await store(redirects, { asn: [[['65000-65010'], ['https://rdap.east.example/']]] });
  await store(bootstrap, ownServices());
  system = await runSystem(data.directory, {
    ...inOneProcess,
    CADASTRE_HTTP_PORT: String(port),
    CADASTRE_LIMITS: '127.0.0.0/8 exempt',
    CADASTRE_RDAP_REDIRECTS_DIR: redirects,
    CADASTRE_RDAP_BOOTSTRAP_DIR: bootstrap,
    CADASTRE_WHOIS_HOST: 'whois.registry.example',
  });
  secureBase = `${system.https.replace('localhost', '127.0.0.1')}/rdap`;
  const loaded = await cadastre(system, ['load', '--source', 'TEST', '--wait', '-'], publicNetwork);
  expect(loaded).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await system?.stop();
  await data.remove();
});

async function store(directory: string, files: Record<string, unknown[]>): Promise<void> {
  await mkdir(directory);
  for (const [name, services] of Object.entries(files)) {
    await writeFile(join(directory, `${name}.json`), JSON.stringify({ version: '1.0', services }));
  }
}

/** The contents of the bootstrap files for the sample registry and `publicNetwork`. */
function ownServices(): Record<string, unknown[]> {
  const entries = {
    ipv4: ['192.0.2.0/24', '193.0.2.0/24'],
    ipv6: ['2001:db8::/32'],
    asn: ['64496-64511', '65536-65551'],
    dns: ['2.0.192.in-addr.arpa', '2.0.193.in-addr.arpa', '8.b.d.0.1.0.0.2.ip6.arpa'],
  };
  const urls = [`${base}/`];
  const services = Object.entries(entries).map(([name, texts]) => [name, [[texts, urls]]]);
  return { ...Object.fromEntries(services), 'object-tags': [[[], ['TEST'], urls]] };
}

async function get(path: string) {
  const response = await fetch(`${base}/${path}`, { redirect: 'manual' });
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

test('the command line makes the bootstrap files that the gateway serves', async () => {
  const made = join(data.directory, 'made');
  await mkdir(made);
  expect(await cadastre(system, ['rdap', 'bootstrap', '--out', made, '--url', base])).toMatchObject({ code: 0 });
  for (const name of bootstrapNames) {
    const { services } = JSON.parse(await readFile(join(made, `${name}.json`), 'utf8'));
    expect([name, services]).toEqual([name, ownServices()[name]]);
    expect(JSON.parse((await get(`bootstrap/${name}.json`)).text).services).toEqual(services);
  }
});

test('what another registry holds leads there', async () => {
  const { status, headers } = await get('autnum/65001');
  expect([status, headers.location]).toEqual([301, 'https://rdap.east.example/autnum/65001']);
});

test.each([
  'ip/192.0.2.7',
  'ip/2001:db8::1',
  'autnum/64500',
  'domain/2.0.192.in-addr.arpa',
  'entity/AE1-TEST',
  'entity/EN1-TEST',
  'entity/ORG-EX1-TEST',
  'entity/EXAMPLE-MNT',
  'help',
  'entity/NOBODY-TEST',
  'ip/192.0.2.256',
  'nameserver/ns.example.net',
  'autnum/65001',
])('%s has no fault that the checks know', async (path) => {
  const { status, headers, text } = await get(path);
  const { errorCode, port43 } = JSON.parse(text);
  expect([errorCode, port43]).toEqual([status < 300 ? undefined : status, 'whois.registry.example']);
  expect([...faultsOf(JSON.parse(text)), ...headerFaultsOf(headers)]).toEqual([]);
});

const documents = inject('counts').rdapDocuments;
test(`no document of ${documents} objects of a synthetic registry has a fault`, { timeout: 400_000 }, async () => {
  const texts = [...generateRegistry({ objects: 4 * documents, seed: 7, source: 'TEST' })];
  const loaded = await cadastre(system, ['load', '--source', 'TEST', '--utf8', '--wait', '-'], texts.join('\n'));
  expect(loaded).toMatchObject({ code: 0 });
  const paths = texts.flatMap(pathOf);
  const stride = Math.floor(paths.length / documents);
  const chosen = paths.filter((_, at) => at % stride === 0).slice(0, documents);
  expect(chosen).toHaveLength(documents);
  const faults: string[] = [];
  for (let at = 0; at < chosen.length; at += 20) {
    await Promise.all(
      chosen.slice(at, at + 20).map(async (path) => {
        const { status, text } = await get(path);
        if (status !== 200) faults.push(`${path}: ${status}`);
        for (const fault of faultsOf(JSON.parse(text))) faults.push(`${path}: ${fault}`);
      }),
    );
  }
  expect(faults).toEqual([]);
});

/** The path of an object below the base, if RDAP has its type. */
function pathOf(text: string): string[] {
  const parsed = parseObject(text);
  const key = parsed.ok ? primaryKey(parsed.object) : undefined;
  if (!parsed.ok || key === undefined || 'messages' in key) throw new Error(`no object: ${text}`);
  switch (parsed.object.type) {
    case 'inetnum':
    case 'inet6num':
      return [`ip/${encodeURIComponent(key.shown)}`];
    case 'aut-num':
      return [`autnum/${key.shown.slice(2)}`];
    case 'domain':
      return key.shown.endsWith('e164.arpa') ? [] : [`domain/${key.shown}`];
    case 'person':
    case 'role':
    case 'organisation':
    case 'mntner':
    case 'irt':
      return [`entity/${key.shown}`];
    default:
      return [];
  }
}

const missing = existsSync(join(clients, 'installed')) ? [] : [`${clients} (scripts/rdap-clients/install.sh)`];
const isOptional = process.env.CADASTRE_TEST_RDAP_CLIENTS === undefined;

describe.skipIf(isSkipped('RDAP clients of others', missing, { isOptional }))('clients of others', () => {
  const openrdap = (...args: string[]) =>
    runProgram(join(clients, 'rdap'), ['--cache-dir=', ...args], { HOME: data.directory });

  test.each([
    [['192.0.2.7'], ['Handle: 192.0.2.0 - 192.0.2.255', 'Name: EXAMPLE-NET', 'vCard fn: Alice Example']],
    [['2001:db8::1'], ['Handle: 2001:db8::/32', 'IP Version: v6']],
    [
      ['-t', 'autnum', 'AS64500'],
      ['Handle: AS64500', 'Name: EXAMPLE-AS', 'StartAutnum: 64500'],
    ],
    [
      ['--type=domain', '2.0.192.in-addr.arpa'],
      ['Domain Name: 2.0.192.in-addr.arpa', 'Nameserver:'],
    ],
    [
      ['--type=entity', 'AE1-TEST'],
      ['Handle: AE1-TEST', 'vCard fn: Alice Example'],
    ],
    [
      ['--type=entity', 'ORG-EX1-TEST'],
      ['Handle: ORG-EX1-TEST', 'vCard kind: org'],
    ],
    [['--type=help'], ['Conformance: rdap_level_0']],
  ])('openrdap %j prints what is stored', async (args, lines) => {
    const printed = await openrdap(`--server=${base}`, ...args);
    for (const line of lines) expect(printed).toContain(line);
  });

  test('openrdap tells that an object does not exist', async () => {
    await expect(openrdap(`--server=${base}`, '--type=entity', 'NOBODY-TEST')).rejects.toThrow('returned 404');
  });

  test('openrdap finds the registry by its bootstrap files', async () => {
    expect(await openrdap(`--bs-url=${base}/bootstrap`, '192.0.2.7')).toContain('Name: EXAMPLE-NET');
    expect(await openrdap(`--bs-url=${base}/bootstrap`, 'AS64500')).toContain('Name: EXAMPLE-AS');
  });

  test('py-rdap follows the links of contacts to the abuse mailbox', async () => {
    const home = join(data.directory, 'py-rdap');
    await mkdir(home);
    await writeFile(join(home, 'config.yaml'), `rdap:\n  bootstrap_url: ${base}\n  self_bootstrap: false\n`);
    for (const query of ['192.0.2.7', 'as64500']) {
      const args = ['--home', home, '--parse', query];
      expect(await runProgram(join(clients, 'python/bin/rdap'), args, { HOME: home })).toContain('abuse@example.net');
    }
  });

  test('ipwhois fills network, prefix and contacts', async () => {
    const found = JSON.parse(await runProgram(python, [join(scripts, 'ipwhois_lookup.py'), base, '193.0.2.7'], {}));
    expect(found).toMatchObject({
      network: { handle: '193.0.2.0 - 193.0.2.255', name: 'PUBLIC-NET', cidr: '193.0.2.0/24', country: 'NL' },
      entities: ['AE1-TEST', 'EN1-TEST', 'ORG-EX1-TEST'],
      objects: { 'AE1-TEST': { contact: { name: 'Alice Example' } } },
    });
  });

  test('whoisit finds the registry by its bootstrap files', async () => {
    const args = [join(scripts, 'whoisit_lookup.py'), base, '193.0.2.7', '64500'];
    const found = (await runProgram(python, args, {})).trim().split('\n');
    expect(found.map((line) => JSON.parse(line))).toMatchObject([
      { handle: '193.0.2.0 - 193.0.2.255', name: 'PUBLIC-NET', entities: { administrative: ['AE1-TEST'] } },
      { handle: 'AS64500', name: 'EXAMPLE-AS', entities: { technical: ['EN1-TEST'] } },
    ]);
  });
});

const withoutChecker = rdapTest === '' ? ['CADASTRE_TEST_RDAP_TEST, the path of rdap-test (icann-rdap-cli)'] : [];

describe.skipIf(isSkipped("ICANN's rdap-test", withoutChecker, { isOptional: true }))('rdap-test', () => {
  test.each(['ip/193.0.2.7', 'autnum/64500', 'domain/2.0.193.in-addr.arpa', 'entity/AE1-TEST', 'help'])(
    'warns of nothing in %s over HTTPS',
    async (path) => {
      const args = ['-I', '-K', '--skip-v6', '-C', 'warning', '-O', 'json', `${secureBase}/${path}`];
      // Its exit code reports warnings.
      const { stdout } = await promisify(execFile)(rdapTest, args).catch((error) => error);
      const runs: { outcome: string; summaries: { structure: string }[] }[] = JSON.parse(stdout).Http.test_runs;
      expect(runs).toHaveLength(3);
      for (const { outcome, summaries } of runs) {
        // It treats entities inside an entity as roots, which need rdapConformance.
        const faults = summaries.filter(({ structure }) => !/entity\/entity\/.*\/rdap_conformance$/.test(structure));
        expect([outcome, faults]).toEqual(['Tested', []]);
      }
    },
  );
});
