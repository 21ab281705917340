import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reservePort } from '@cadastre/service';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/embedded-postgres.js';
import { backUp } from './harness/back-up.js';
import { type Cluster, startCluster } from './harness/cluster.js';
import { eventually } from './harness/eventually.js';
import { personText } from './harness/person-text.js';
import { type Rest, restClient } from './harness/rest.js';
import { documentOf, objectOf, values, type WhoisClient, whoisClient } from './harness/whois.js';

// The registry is restored to an earlier state while all services run: the index is in files, and is ahead.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const follower = fileURLToPath(new URL('../../../proto/examples/follow-changes.ts', import.meta.url));

let directory: string;
let registryServer: EmbeddedPostgres;
let startRegistry: (name: string) => Promise<EmbeddedPostgres>;
let cluster: Cluster;
let rest: Rest & { close(): void };
let whois: WhoisClient;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-restored-'));
  const port = await reservePort();
  startRegistry = (name) => startEmbeddedPostgres({ dataDirectory: join(directory, name), port, durable: false });
  cluster = await startCluster({
    count: 1,
    startPostgres: async () => {
      registryServer = await startRegistry('registry');
      return { url: registryServer.url, stop: () => registryServer.stop() };
    },
  });
  const https = `https://localhost:${cluster.gateways[0]!.split(':')[1]}`;
  rest = restClient({ http: '', https, certHttps: '', certificateText: cluster.gatewayCertificate });
  whois = whoisClient(rest, cluster.credential);
});

afterAll(async () => {
  rest?.close();
  await cluster?.stop();
  await rm(directory, { recursive: true, force: true });
});

const create = (key: string) => whois.create('person', personText('Restored Person', key));
const street = async (key: string) => values(objectOf(await whois.lookup('person', key)), 'address')[0];
const isFound = async (key: string) => (await rest(`/search?query-string=${key}&flags=r`)).status === 200;

/** Follows all changes by its certificate, until the feed cannot continue. */
function startFollower() {
  const { tlsCertFile, tlsKeyFile, tlsCaFile } = cluster.authority.certify('operator');
  const env = { ADDRESS: cluster.addressOf('objects'), CA: tlsCaFile, CERT: tlsCertFile, KEY: tlsKeyFile };
  const child = spawn(process.execPath, [follower], { env: { PATH: process.env.PATH, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return { output: () => output, kill: () => child.kill() };
}

test('after a restore the index, the caches and other followers agree with the registry', async () => {
  const keeps = 'KE1-TEST';
  expect((await create(keeps)).status).toBe(200);
  await backUp(cluster.postgresUrl, join(directory, 'restored'));
  const mirror = startFollower();
  onTestFinished(() => void mirror.kill());
  await eventually(() => expect(mirror.output()).toContain('following TEST'));
  expect((await create('LO1-TEST')).status).toBe(200);
  const changed = personText('Restored Person', keeps).replace('Street 9', 'Street 10');
  expect((await whois.update('person', keeps, changed)).status).toBe(200);
  await eventually(async () => expect([await isFound(keeps), await isFound('LO1-TEST')]).toEqual([true, true]));
  await eventually(() => expect(mirror.output()).toContain(`person ${keeps}`));
  for (let n = 0; n < 3; n++) expect(await street(keeps)).toBe('Example Street 10');
  // The times of changes are whole seconds; a real restore takes longer than one.
  const lostAt = Date.parse(values(objectOf(await whois.lookup('person', keeps)), 'last-modified')[0]!);
  await eventually(() => expect(Date.now()).toBeGreaterThanOrEqual(lostAt + 1_000));

  await registryServer.stop();
  registryServer = await startRegistry('restored');
  // More writes than the restore reverted: their serials are those that followers have, and one more.
  const later = ['NE1-TEST', 'NE2-TEST', 'NE3-TEST'];
  for (const key of later) await eventually(async () => expect((await create(key)).status).toBe(200));

  expect(await street(keeps)).toBe('Example Street 9');
  expect((await whois.lookup('person', 'LO1-TEST')).status).toBe(404);
  await eventually(() => expect(mirror.output()).toContain('start again from an export'));
  const exported = await exportedPersons();
  expect(exported).toEqual(expect.arrayContaining([keeps, ...later]));
  await eventually(async () => expect(await foundPersons()).toEqual(exported), 180_000);
  expect((await rest(`/search.txt?query-string=${keeps}&flags=r`)).text).toContain('Street 9');
});

/** The persons of EXAMPLE-MNT in the registry. */
async function exportedPersons(): Promise<string[]> {
  const text = await cluster.cadastre('export', '--source', 'TEST');
  const objects = text.split('\n\n').filter((one) => /^person:/m.test(one) && /^mnt-by: +EXAMPLE-MNT$/m.test(one));
  return objects.map((one) => one.match(/^nic-hdl: +(\S+)/m)![1]!).sort();
}

/** The same in the index. */
async function foundPersons(): Promise<string[]> {
  const query = 'query-string=EXAMPLE-MNT&inverse-attribute=mnt-by&type-filter=person&flags=r';
  const answer = await rest(`/search.json?${query}`);
  return (documentOf(answer).objects?.object ?? []).map((one) => values(one, 'nic-hdl')[0]!).sort();
}
