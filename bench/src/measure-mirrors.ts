import { createPublicKey } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Mirror, MirrorServiceService, MirrorState, type Publication } from '@cadastre/proto/mirror';
import { connect } from '@cadastre/service';
import { startBareFastify } from './bare-fastify.ts';
import { type Contest, type ContestResult, runContests } from './contests.ts';
import type { LoadThread } from './load-thread.ts';
import { peakMirrorMb } from './processes.ts';
import { restClient } from './rest-client.ts';
import { httpSide, type Server, serverOf } from './sides.ts';
import type { Surroundings } from './surroundings.ts';
import { startTestedSystem, type TestedSystem } from './tested-system.ts';

/** A publication by NRTM version 4, and a second registry that follows it. */
export interface MirrorsResult {
  /** Number of objects in the copy; persons are not published. */
  readonly objects: number;
  /** From the start of the mirror service until others can read the first snapshot. */
  readonly publishSeconds: number;
  /** Peak memory of the publishing mirror service, resident. */
  readonly publishMb: number;
  /** From the start of the following mirror service until the copy has all objects; over HTTPS. */
  readonly importSeconds: number;
  /** Peak memory of the following mirror service. */
  readonly importMb: number;
  /** From the response to a write until a published delta has it, and until the copy has it. */
  readonly deltaSeconds: number;
  readonly copySeconds: number;
  /** Update Notification Files that the gateway serves over HTTPS, beside a bare Fastify that has the file in memory. */
  readonly notifications: ContestResult<'system' | 'ceiling'>;
}

const source = 'TEST';
const copy = 'TEST-GRS';
const connections = 50;
const notificationPath = `/nrtmv4/${source}/update-notification-file.jose`;
const pollMs = 100;
const timeoutMs = 3_600_000;

/**
 * Restarts the system as a publisher, follows it with a second one, and stops both. They look for changes once a
 * minute, so it runs other measurements meanwhile.
 */
export async function measureMirrors<T>(
  loaded: TestedSystem,
  thread: LoadThread,
  around: Surroundings,
  meanwhile: () => Promise<T>,
): Promise<{ mirrors: MirrorsResult; meanwhile: T }> {
  const { directory, settings, say, onEnd } = around;
  say('Publishing for mirrors');
  const publisher = await loaded.restart({ CADASTRE_MIRROR_PUBLISH: source });
  const published = mirrorService(publisher);
  const publishSeconds = await secondsUntil(async () => (await published.publication())!.version >= 1n);
  const publishMb = await peakMirrorMb(publisher.pid);

  say('Importing into another registry');
  const origins = join(directory, 'origins.json');
  const url = new URL(notificationPath, publisher.addresses.https).href;
  const key = createPublicKey(await readFile(publisher.mirrorKeyFile)).export({ type: 'spki', format: 'pem' });
  await writeFile(origins, JSON.stringify({ [copy]: { nrtm4: { url, source, key, ownNetwork: true } } }));
  const follower = await startTestedSystem({
    directory: join(directory, 'copy'),
    settings: {
      CADASTRE_GRS_SOURCES: copy,
      CADASTRE_MIRROR_ORIGINS_FILE: origins,
      NODE_EXTRA_CA_CERTS: publisher.addresses.certificate,
    },
    say,
    onEnd,
  });
  const followed = mirrorService(follower);
  const importSeconds = await secondsUntil(
    async () => (await followed.mirror())?.state === MirrorState.MIRROR_STATE_CURRENT,
  );
  const importMb = await peakMirrorMb(follower.pid);
  const objects = Number((await followed.mirror())!.counts!.puts);

  say('Publishing a change');
  const { version } = (await published.publication())!;
  await write(publisher);
  const [deltaSeconds, copySeconds, done] = await Promise.all([
    secondsUntil(async () => (await published.publication())!.version > version),
    secondsUntil(async () => ((await followed.mirror())?.version ?? 0n) > version),
    meanwhile(),
  ]);

  const bare = await startBareFastify(publisher, [notificationPath], 'https');
  const contest = notificationContest({ thread, server: await serverOf(publisher) }, bare);
  const { rounds, seconds } = settings;
  const [notifications] = await runContests([contest], { what: 'Notifications', rounds, seconds, say });
  await bare.stop();
  published.close();
  followed.close();
  await follower.stop();
  await publisher.stop();
  const times = { publishSeconds, importSeconds, deltaSeconds, copySeconds };
  const mirrors = { objects, publishMb, importMb, ...times, notifications: notifications! };
  return { mirrors, meanwhile: done };
}

export function notificationContest(
  { thread, server }: { readonly thread: LoadThread; readonly server: Server },
  bare: Server,
): Contest<'system' | 'ceiling'> {
  const scenario = {
    name: 'notifications',
    distinct: 1,
    request: () => ({ method: 'GET', path: notificationPath }) as const,
    statuses: [200],
  };
  return {
    name: 'notifications',
    sides: {
      system: httpSide(thread, server, scenario, { connections, https: true, limited: true }),
      ceiling: httpSide(thread, bare, scenario, { connections, https: true }),
    },
  };
}

/** The state of the only publication of a system, and of its only copy, from its mirror service. */
function mirrorService({ addresses }: TestedSystem) {
  const client = connect(MirrorServiceService, { address: addresses.mirror!, deadlineMs: 10_000 });
  return {
    publication: async (): Promise<Publication | undefined> => (await client.listPublications({})).publications[0],
    mirror: async (): Promise<Mirror | undefined> => (await client.listMirrors({})).mirrors[0],
    close: () => client.close(),
  };
}

async function secondsUntil(isDone: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  while (!(await isDone())) {
    if (performance.now() - start > timeoutMs) throw new Error('The mirror service did not get there within an hour');
    await sleep(pollMs);
  }
  return (performance.now() - start) / 1000;
}

async function write(system: TestedSystem): Promise<void> {
  using rest = await restClient(system);
  await rest.create('as-set', [
    ['as-set', 'AS-BENCH-MIRRORS'],
    ['tech-c', `AE1-${source}`],
    ['admin-c', `AE1-${source}`],
    ['mnt-by', 'EXAMPLE-MNT'],
    ['source', source],
  ]);
}
