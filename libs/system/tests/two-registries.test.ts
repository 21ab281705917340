import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { wholeSource } from '../../../services/mirror/src/public-source.js';
import { publicText } from '../../../services/mirror/src/publish/public-text.js';
import { chance, type Random, randomOf } from './fuzz/random.js';
import { type Cluster, type Replica, startCluster } from './harness/cluster.js';
import { eventually } from './harness/eventually.js';
import { personText } from './harness/person-text.js';
import { type Rest, restClient } from './harness/rest.js';
import { type WhoisClient, whoisClient } from './harness/whois.js';

// One registry publishes its source, another follows it over HTTPS as A-GRS, while objects change at random, the mirror
// services are killed, and the signing key rotates. In the end both have the same objects.
const seed = Number(process.env.CADASTRE_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Each takes about five seconds; 700 take an hour. */
const rounds = Number(process.env.CADASTRE_TEST_ROUNDS ?? 6);
vi.setConfig({ testTimeout: 240_000 + rounds * 60_000, hookTimeout: 300_000 });

const shortMinutes = { NODE_OPTIONS: `--import=${new URL('harness/short-minutes.mjs', import.meta.url).href}` };
/** A lease lasts 15 seconds after a kill, and the machine may be busy. */
const longestMs = 120_000;

let directory: string;
let publisher: Cluster;
let follower: Cluster;
let rest: Rest & { close(): void };
let whois: WhoisClient;

beforeAll(async () => {
  console.log(`two-registries: CADASTRE_TEST_SEED=${seed} CADASTRE_TEST_ROUNDS=${rounds}`);
  directory = await mkdtemp(join(tmpdir(), 'cadastre-two-registries-'));
  publisher = await startCluster({ count: 1, mirror: true, env: { ...shortMinutes, CADASTRE_MIRROR_PUBLISH: 'TEST' } });
  const certificate = join(directory, 'certificate.pem');
  await writeFile(certificate, publisher.gatewayCertificate);
  const https = `https://localhost:${publisher.gateways[0]!.split(':')[1]}`;
  rest = restClient({ http: '', https, certHttps: '', certificateText: publisher.gatewayCertificate });
  whois = whoisClient(rest, publisher.credential);
  const nrtm4 = {
    url: `${https}/nrtmv4/TEST/update-notification-file.jose`,
    source: 'TEST',
    key: await publisher.cadastre('mirror', 'keys', 'show', '--public', '--folder', publisher.mirrorKeys),
    ownNetwork: true,
  };
  const origins = join(directory, 'origins.json');
  await writeFile(origins, JSON.stringify({ 'A-GRS': { nrtm4 } }));
  await eventually(async () => {
    expect((await statusOf(publisher)).publications).toMatchObject([{ key: expect.any(String), error: null }]);
  }, longestMs);
  follower = await startCluster({
    count: 1,
    mirror: true,
    env: {
      ...shortMinutes,
      CADASTRE_GRS_SOURCES: 'A-GRS',
      CADASTRE_MIRROR_ORIGINS_FILE: origins,
      NODE_EXTRA_CA_CERTS: certificate,
    },
  });
});

afterAll(async () => {
  rest?.close();
  await follower?.stop();
  await publisher?.stop();
  await rm(directory, { recursive: true, force: true });
});

interface Status {
  mirrors: { state: string; error: string | null; session: string; version: number; checked: string }[];
  publications: { session: string; version: number; notified: string; key: string; nextKey: string | null }[];
}

const statusOf = async (cluster: Cluster) => JSON.parse(await cluster.cadastre('mirror', 'status', '--json')) as Status;

/** Texts of a source by type and key, without the name of the source. */
async function objectsOf(cluster: Cluster, source: string, shown: (text: string) => string | undefined) {
  const exported = await cluster.cadastre('export', '--source', source, '--utf8');
  const texts = exported.split(/\n{2,}/).filter((text) => /^[a-z]/.test(text));
  return texts
    .flatMap((text) => shown(`${text.trimEnd()}\n`) ?? [])
    .map(withoutSource)
    .sort();
}

const withoutSource = (text: string) => text.replace(/^(source:\s+)\S+/m, '$1X');

/** Waits until the follower has exactly what others get of the source. */
async function untilEqual(): Promise<void> {
  await eventually(async () => {
    const published = await objectsOf(publisher, 'TEST', (text) => publicText(text, wholeSource('TEST')));
    expect(published.length).toBeGreaterThan(10);
    expect(await objectsOf(follower, 'A-GRS', (text) => text)).toEqual(published);
  }, longestMs);
}

const setText = (name: string, remark: number) => `as-set:         ${name}
members:        AS64500, AS${64496 + (remark % 16)}
remarks:        change ${remark}
tech-c:         AE1-TEST
admin-c:        AE1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`;

const present = new Set<string>();
let changes = 0;

/** Creates, changes and deletes sets and persons, some of them again within the same minute. */
async function change(random: Random): Promise<void> {
  for (let n = 1 + random(20); n > 0; n--) {
    changes++;
    const name = `AS-TWO${random(40)}`;
    const text = setText(name, changes);
    const request = !present.has(name) ? 'create' : chance(random, 60) ? 'update' : 'remove';
    const requests = {
      create: () => whois.create('as-set', text),
      update: () => whois.update('as-set', name, text),
      remove: () => whois.remove('as-set', name),
    };
    expect((await requests[request]()).status).toBe(200);
    if (request === 'remove') present.delete(name);
    else present.add(name);
  }
  if (chance(random, 30)) {
    const key = `TW${changes}-TEST`;
    expect((await whois.create('person', personText('Never Published', key))).status).toBe(200);
  }
}

/** As a machine without power: nothing can be tidied up. */
async function killAndStart(replica: Replica): Promise<void> {
  process.kill(replica.pid(), 'SIGKILL');
  await replica.stop();
  await replica.start();
}

const rotate = (...args: string[]) =>
  publisher.cadastre('mirror', 'keys', 'rotate', '--folder', publisher.mirrorKeys, ...args);

/** Announces a key, waits until the follower has read that, then signs with it. */
async function rotateKey(): Promise<void> {
  const [before] = (await statusOf(publisher)).publications;
  await rotate();
  const announced = await eventually(async () => {
    const [publication] = (await statusOf(publisher)).publications;
    expect(publication!.nextKey).not.toBeNull();
    return publication!;
  }, longestMs);
  await eventually(async () => {
    const [mirror] = (await statusOf(follower)).mirrors;
    expect(Date.parse(mirror!.checked)).toBeGreaterThan(Date.parse(announced.notified) + 1_000);
  }, longestMs);
  await rotate('--now');
  await eventually(async () => {
    const [publication] = (await statusOf(publisher)).publications;
    expect([publication!.key, publication!.nextKey]).toEqual([announced.nextKey, null]);
  }, longestMs);
  expect(announced.key).toBe(before!.key);
}

test('the follower has the whole source, without persons', async () => {
  await untilEqual();
  const texts = await objectsOf(follower, 'A-GRS', (text) => text);
  const types = texts.map((text) => /^[a-z0-9-]+/.exec(text)![0]);
  expect(types).toContain('mntner');
  expect(types).not.toContain('person');
  expect(
    texts.join('').match(/^(e-mail|notify|upd-to|mnt-nfy):.*@example\.net|(MD5|BCRYPT)-PW (?!\$1\$SaltSalt)/gim) ?? [],
  ).toEqual([]);
});

const events = [
  () => killAndStart(publisher.replicas.mirror[0]!),
  () => killAndStart(follower.replicas.mirror[0]!),
  rotateKey,
];

test('random changes, kills and a rotation of the key end in equal registries', async () => {
  const session = (await statusOf(publisher)).publications[0]!.session;
  for (let round = 0; round < rounds; round++) {
    const random = randomOf(seed, round);
    const changing = change(random);
    // One of each, then any, and often none.
    await events[round < events.length ? round : random(2 * events.length)]?.();
    await changing;
    if (round % 10 === 5) await untilEqual();
  }
  await untilEqual();
  const { mirrors } = await statusOf(follower);
  expect(mirrors).toMatchObject([{ state: 'current', error: null, session }]);
  expect(changes).toBeGreaterThan(rounds);
});
