import { mkdir, mkdtemp, readdir, readFile, rm, watch as watchFolder, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MirrorServiceService, MirrorState } from '@cadastre/proto/mirror';
import { connect, type MutualTls, mutualTls, together } from '@cadastre/service';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { wholeSource } from '../../../services/mirror/src/public-source.js';
import { publicText } from '../../../services/mirror/src/publish/public-export.js';
import { pick, type Random, randomOf } from './fuzz/random.js';
import { type Cluster, startCluster } from './harness/cluster.js';
import { eventually } from './harness/eventually.js';
import { type Rest, restClient } from './harness/rest.js';
import { type RandomChanges, randomChanges } from './two-registries/random-changes.js';
import { type Watch, watchPublication } from './two-registries/watch-publication.js';

// Two registries publish their source TEST, and each follows the other one over HTTPS as OTHER-GRS, while objects of both
// change at random, services of both are killed, and their signing keys rotate. In the end both have the same objects.
const seed = Number(process.env.CADASTRE_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Duration: a number of minutes, or else of rounds. */
const minutes = Number(process.env.CADASTRE_TEST_MINUTES ?? 0);
const rounds = minutes > 0 ? Number.POSITIVE_INFINITY : Number(process.env.CADASTRE_TEST_ROUNDS ?? 6);
vi.setConfig({
  testTimeout: 400_000 + (minutes > 0 ? 2 * minutes : rounds) * 60_000,
  hookTimeout: 400_000,
});

const shortMinutes = { NODE_OPTIONS: `--import=${new URL('harness/short-minutes.mjs', import.meta.url).href}` };
/** A lease lasts 9 seconds after a kill, and the machine may be busy. */
const timeoutMs = 120_000;

/** One of the registries. */
interface Side {
  readonly name: string;
  readonly cluster: Cluster;
  readonly rest: Rest & { close(): void };
  readonly tls: MutualTls;
  readonly mirror: MirrorClient;
  readonly changes: RandomChanges;
  /** Watches what it publishes. */
  readonly watch: Watch;
}

type MirrorClient = ReturnType<typeof connect<typeof MirrorServiceService>>;

let directory: string;
const clusters: Cluster[] = [];
let sides: readonly [Side, Side];

const filesOf = (name: string) => ({
  /** Where its services store downloads. */
  temporary: join(directory, name, 'temporary'),
  origins: join(directory, name, 'origins.json'),
  /** Of the gateway of the other one. */
  certificate: join(directory, name, 'certificate.pem'),
});

beforeAll(async () => {
  console.log(`two-registries: CADASTRE_TEST_SEED=${seed}, ${minutes > 0 ? `${minutes} minutes` : `${rounds} rounds`}`);
  directory = await mkdtemp(join(tmpdir(), 'cadastre-two-registries-'));
  const [left, right] = await Promise.allSettled([startSide('left'), startSide('right')]);
  if (left.status === 'rejected') throw left.reason;
  if (right.status === 'rejected') throw right.reason;
  sides = [left.value, right.value];
  for (const side of sides) await follow(side, otherOf(side));
});

afterAll(async () => {
  for (const side of sides ?? []) {
    side.rest.close();
    side.mirror.close();
    side.tls.close();
    await side.watch.stop();
  }
  await Promise.all(clusters.map((cluster) => cluster.stop()));
  await rm(directory, { recursive: true, force: true });
});

/** Starts a registry that publishes, and follows none yet. */
async function startSide(name: string): Promise<Side> {
  const files = filesOf(name);
  await mkdir(files.temporary, { recursive: true });
  await writeFile(files.origins, '{}');
  await writeFile(files.certificate, '');
  const cluster = await startCluster({
    count: 1,
    mirror: true,
    env: {
      ...shortMinutes,
      CADASTRE_MIRROR_PUBLISH: 'TEST',
      CADASTRE_GRS_SOURCES: 'OTHER-GRS',
      CADASTRE_MIRROR_ORIGINS_FILE: files.origins,
      NODE_EXTRA_CA_CERTS: files.certificate,
      TMPDIR: files.temporary,
    },
  });
  clusters.push(cluster);
  const addresses = {
    ...{ http: '', https: httpsOf(cluster), certHttps: '', certificateText: cluster.gatewayCertificate },
  };
  // Its changes repeat themselves.
  const rest = restClient(addresses, { repeats: false });
  const tls = mutualTls(cluster.authority.certify('operator'))!;
  const address = cluster.addressOf('mirror');
  const mirror = connect(MirrorServiceService, { address, tls, deadlineMs: 10_000 });
  await eventually(async () => {
    expect(await publicationOf({ mirror })).toMatchObject({ version: expect.toSatisfy((version) => version > 0n) });
  }, timeoutMs);
  const watch = await watchPublication(cluster.publications, await publicKeyOf(cluster));
  return { name, cluster, rest, tls, mirror, watch, changes: randomChanges(rest, cluster.credential) };
}

/** Makes a side follow the other one from now on. */
async function follow({ name, cluster }: Side, other: Side): Promise<void> {
  const files = filesOf(name);
  const nrtm4 = {
    url: `${httpsOf(other.cluster)}/nrtmv4/TEST/update-notification-file.jose`,
    source: 'TEST',
    key: await publicKeyOf(other.cluster),
    ownNetwork: true,
  };
  await writeFile(files.certificate, other.cluster.gatewayCertificate);
  await writeFile(files.origins, JSON.stringify({ 'OTHER-GRS': { nrtm4 } }));
  const [mirror] = cluster.replicas.mirror;
  await mirror!.stop();
  await mirror!.start();
}

const otherOf = (side: Side) => sides.find((other) => other !== side)!;
const httpsOf = (cluster: Cluster) => `https://localhost:${cluster.gateways[0]!.split(':')[1]}`;
const publicKeyOf = (cluster: Cluster) =>
  cluster.cadastre('mirror', 'keys', 'show', '--public', '--folder', cluster.mirrorKeys);

const publicationOf = async ({ mirror }: Pick<Side, 'mirror'>) => (await mirror.listPublications({})).publications[0]!;
const mirrorOf = async ({ mirror }: Side) => (await mirror.listMirrors({})).mirrors[0]!;

/** Texts of a source as followers get them, without the name of the source. */
async function objectsOf(cluster: Cluster, source: string, shown: (text: string) => string | undefined) {
  // The connection to a service that was killed comes back after a pause.
  const texts = await eventually(() => cluster.textsOf(source), timeoutMs);
  return texts.flatMap((text) => shown(`${text.trimEnd()}\n`) ?? []).sort();
}

const withoutSource = (text: string) => text.replace(/^(source:\s+)\S+/m, '$1X');
const copyOf = (follower: Side) => objectsOf(follower.cluster, 'OTHER-GRS', withoutSource);

/** Waits until a side has exactly what followers get of the other one. */
async function untilEqual(follower: Side): Promise<void> {
  const publisher = otherOf(follower);
  const wanted = await objectsOf(publisher.cluster, 'TEST', (text) => publicText(text, wholeSource('TEST')));
  expect(wanted.length).toBeGreaterThan(10);
  await eventually(async () => {
    await publisher.watch.look();
    expect(publisher.watch.objects()).toEqual(wanted);
    expect((await mirrorOf(follower)).version).toBe((await publicationOf(publisher)).version);
  }, timeoutMs);
  expect(await copyOf(follower)).toEqual(wanted.map(withoutSource).sort());
}

type EventName = keyof typeof events;

/** What happens to a side. It always resumes by itself where it was. */
const events = {
  nothing: async () => {},
  'kill mirror': (side: Side) => killAndStart(side, ['mirror']),
  'kill mirror that publishes': async (side: Side, random: Random) => {
    await changesIn(join(side.cluster.publications, 'nrtmv4', 'TEST'), 1 + random(12));
    await killAndStart(side, ['mirror']);
  },
  'kill mirror that follows': async (side: Side, random: Random) => {
    await untilItApplies(side, random);
    await killAndStart(side, ['mirror']);
  },
  'kill objects that follow': async (side: Side, random: Random) => {
    await untilItApplies(side, random);
    await killAndStart(side, ['objects']);
  },
  'kill objects': (side: Side) => killAndStart(side, ['objects']),
  'kill gateway': (side: Side) => killAndStart(side, ['gateway']),
  'kill all three': (side: Side) => killAndStart(side, ['mirror', 'objects', 'gateway']),
  'rotate key': rotateKey,
};

/** Like a machine without power: it cannot clean up. */
async function killAndStart({ cluster }: Side, services: readonly ('mirror' | 'objects' | 'gateway')[]): Promise<void> {
  const replicas = services.flatMap((service) => cluster.replicas[service]);
  for (const replica of replicas) process.kill(replica.pid(), 'SIGKILL');
  await Promise.all(
    replicas.map(async (replica) => {
      await replica.stop();
      await replica.start();
    }),
  );
}

/** Waits until a side has downloaded changes of the other one, and possibly applies or records them at this moment. */
async function untilItApplies({ name }: Side, random: Random): Promise<void> {
  await changesIn(filesOf(name).temporary, 1 + random(2));
  await delay(random(100));
}

/**
 * Waits for a number of changes in a folder, so that a process is writing there at this moment. Gives up after a while,
 * because no follower may get the changes of objects.
 */
async function changesIn(folder: string, number: number): Promise<void> {
  const signal = AbortSignal.timeout(10_000);
  let count = 0;
  const changes = watchFolder(folder, { signal });
  try {
    for await (const _ of changes) if (++count === number) return;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Announces a key, waits until the other side has read that, then signs with it. */
async function rotateKey(side: Side): Promise<void> {
  const { cluster, watch } = side;
  const rotate = (...args: string[]) =>
    cluster.cadastre('mirror', 'keys', 'rotate', '--folder', cluster.mirrorKeys, ...args);
  await rotate();
  const announced = await eventually(async () => {
    const publication = await publicationOf(side);
    expect(publication.nextKeyFingerprint).not.toBe('');
    return publication;
  }, timeoutMs);
  await watch.look();
  // The second of these checks has begun after the announcement, and caches have expired.
  const first = await checkAfter(otherOf(side), announced.notifiedAt!.getTime() + 2_000);
  await checkAfter(otherOf(side), first);
  await rotate('--now');
  await eventually(async () => {
    const { keyFingerprint, nextKeyFingerprint } = await publicationOf(side);
    expect([keyFingerprint, nextKeyFingerprint]).toEqual([announced.nextKeyFingerprint, '']);
  }, timeoutMs);
}

/** The first time after a moment at which a side checked the publication of the other one; both in ms since 1970. */
function checkAfter(side: Side, moment: number): Promise<number> {
  return eventually(async () => {
    const checked = (await mirrorOf(side)).checkedAt!.getTime();
    expect(checked).toBeGreaterThan(moment);
    return checked;
  }, timeoutMs);
}

test('each registry has the whole source of the other one, without persons', async () => {
  for (const side of sides) {
    await untilEqual(side);
    const texts = await copyOf(side);
    const types = texts.map((text) => /^[a-z0-9-]+/.exec(text)![0]);
    expect(types).toContain('mntner');
    expect(types).not.toContain('person');
    expect(
      texts.join('').match(/^(e-mail|notify|upd-to|mnt-nfy):.*@example\.net|(MD5|BCRYPT)-PW (?!\$1\$SaltSalt)/gim) ??
        [],
    ).toEqual([]);
  }
});

/**
 * The events of the first rounds: each event on one of the sides, and rotations together, because these take longest.
 */
const firstEvents: readonly (readonly [EventName, EventName])[] = [
  ['kill mirror', 'kill mirror that publishes'],
  ['rotate key', 'rotate key'],
  ['kill objects', 'kill gateway'],
  ['kill all three', 'nothing'],
  ['kill mirror that follows', 'kill objects that follow'],
];

/** The events of a round; in a quarter of the rounds none of the sides. */
function eventsOf(round: number, random: Random): readonly [EventName, EventName] {
  const any = Object.keys(events) as EventName[];
  const one = () => pick(random, [...any, 'nothing'] as const);
  return firstEvents[round] ?? [one(), one()];
}

async function playRound(round: number, names: readonly [EventName, EventName]): Promise<void> {
  const work = sides.flatMap((side, at) => [
    side.changes.some(randomOf(seed, 3 * round + 1 + at)),
    events[names[at]!](side, randomOf(seed + 1, 3 * round + 1 + at)),
  ]);
  // All have ended before anything is stopped.
  await together(...work);
  for (const { watch } of sides) await watch.look();
  if (round % 10 === 9) await together(...sides.map(untilEqual));
}

/** Lines of the logs of a side's mirror service. */
async function mirrorLog({ cluster }: Side): Promise<string[]> {
  const files = (await readdir(cluster.logs)).filter((name) => name.startsWith('mirror-'));
  const texts = await Promise.all(files.map((name) => readFile(join(cluster.logs, name), 'utf8')));
  return texts.join('').split('\n');
}

test('random changes, kills and rotations of the keys end in equal registries', async () => {
  const began = performance.now();
  const hasEnded = (round: number) => (minutes > 0 ? performance.now() - began > minutes * 60_000 : round >= rounds);
  let publishedAt = began;
  const played: EventName[] = [];
  const report = (reported: string) => {
    const counts = Object.keys(events).map((name) => `${played.filter((one) => one === name).length} ${name}`);
    const changes = sides.map((side) => side.changes.count()).join(' and ');
    console.log(`${new Date().toISOString()} ${reported}; so far ${changes} changes, and ${counts.join(', ')}`);
  };
  for (let round = 0; !hasEnded(round); round++) {
    const names = eventsOf(round, randomOf(seed, 3 * round));
    played.push(...names);
    const reported = `round ${round} (CADASTRE_TEST_SEED=${seed}: ${names.join(', ')})`;
    try {
      await playRound(round, names);
    } catch (error) {
      throw new Error(`${reported}: ${String(error)}`, { cause: error });
    }
    if (performance.now() - publishedAt < 60_000) continue;
    publishedAt = performance.now();
    report(reported);
  }
  report('the end');
  await Promise.all(sides.map(untilEqual));
  for (const side of sides) {
    const [session, ...others] = otherOf(side).watch.sessions();
    expect(others).toEqual([]);
    const current = { state: MirrorState.MIRROR_STATE_CURRENT, error: '', sessionId: session };
    // A fault that ends by itself may be the newest news of either.
    await eventually(async () => {
      expect(await mirrorOf(side)).toMatchObject(current);
      expect(await publicationOf(side)).toMatchObject({ error: '', sessionId: side.watch.sessions()[0] });
    }, timeoutMs);
    // Faults that end by themselves are normal here; nothing may be refused.
    expect((await mirrorLog(side)).filter((line) => line.includes('refused fault of mirror'))).toEqual([]);
    expect(side.changes.count()).toBeGreaterThan(0);
  }
});
