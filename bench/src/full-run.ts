import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { registryPlan } from '@cadastre/synthetic';
import pg from 'pg';
import { startBareFastify } from './bare-fastify.ts';
import type { BenchSettings } from './bench-settings.ts';
import { type ContestResult, runContests } from './contests.ts';
import { type DiskUse, measureDisk } from './disk-use.ts';
import { writeDump, writeObjects } from './dump-file.ts';
import {
  geoContests,
  insertContests,
  lookupContests,
  mixContests,
  oneClientContests,
  type Requested,
  rdapContests,
  recordedPaths,
  searchContests,
  whoisContests,
  writeContests,
} from './full-contests.ts';
import { type LoadThread, startLoadThread } from './load-thread.ts';
import { describeMachine, type Machine } from './machine.ts';
import { type CopyResult, measureCopy } from './measure-copy.ts';
import { type LoadResult, loadDump, measureLoad } from './measure-load.ts';
import { type MailResult, measureMail } from './measure-mail.ts';
import { type MirrorsResult, measureMirrors } from './measure-mirrors.ts';
import { measureOpenSearch, type OpenSearchResult } from './measure-opensearch.ts';
import { measureVisibility, type VisibilityResult } from './measure-visibility.ts';
import { type Memory, memoryOf } from './processes.ts';
import { startBenchRedis } from './redis-server.ts';
import { type Revision, readRevision } from './revision.ts';
import { serverOf } from './sides.ts';
import type { Surroundings } from './surroundings.ts';
import { startTestedSystem, type TestedSystem } from './tested-system.ts';
import { setForFilters } from './whois-scenarios.ts';
import { objectsForWrites, writingClients } from './write-scenarios.ts';

/** A result beside its ceiling, or without one. */
export type Beside = ContestResult<'system' | 'ceiling'>;
export type Alone = ContestResult<'system'>;

export interface Results {
  /** ISO 8601, UTC. */
  readonly date: string;
  readonly revision: Revision;
  readonly machine: Machine;
  readonly settings: BenchSettings;
  /** Whether limits were counted through Redis. */
  readonly limitsShared: boolean;
  readonly load: LoadResult;
  readonly copy: CopyResult;
  /** After the load. */
  readonly disk: readonly DiskUse[];
  readonly memoryAfterLoad: readonly Memory[];
  readonly memoryAtEnd: readonly Memory[];
  readonly lookups: readonly Beside[];
  /** Beside the same objects by REST. */
  readonly rdap: readonly Beside[];
  readonly searches: readonly Beside[];
  /** Port 43: queries, beside the same queries by REST. */
  readonly whois: readonly Beside[];
  /** Port 43: commands. */
  readonly commands: readonly Alone[];
  /** Mixed requests of clients of different kinds. */
  readonly mixes: readonly Alone[];
  readonly geo: readonly Alone[];
  readonly writes: readonly Alone[];
  /** Inserts of rows of objects, the limit of the database. */
  readonly inserts: readonly Alone[];
  readonly visibility: VisibilityResult;
  readonly mail: MailResult;
  readonly mirrors: MirrorsResult;
  /** Reads by one client at a time. */
  readonly oneClient: readonly Alone[];
  /** The same with fewer objects; absent unless `objects` is larger than `smallObjects`. */
  readonly oneClientSmall?: readonly Alone[];
  /** Time until the system was ready again with all data. */
  readonly restartSeconds: number;
  /** Duration of the whole run. */
  readonly seconds: number;
  /** Only on request. */
  readonly openSearch?: OpenSearchResult;
}

const source = 'TEST';
const watchedWrites = 200;
/** A p50 of one client needs no long measurements: the slowest kind has a hundred responses in this time. */
const oneClientSeconds = 0.5;

/** Measures everything in one run, on one system, so that figures and ceilings are comparable. */
export async function measureEverything(around: Surroundings): Promise<Results> {
  const { settings, directory, say, onEnd } = around;
  const { objects, smallObjects, seed, rounds, seconds } = settings;
  const date = new Date().toISOString();
  const start = performance.now();
  const before = await readRevision();
  const thread = startLoadThread();
  onEnd(thread.stop);
  const oneClientSmall = objects > smallObjects ? await measureSmall(around, thread) : undefined;
  const redis = await startBenchRedis();
  if (redis) onEnd(redis.stop);
  else say('LIMITS ARE MEASURED WITHOUT REDIS: redis-server is missing');
  const system = await startTestedSystem({
    directory: join(directory, 'data'),
    settings: redis ? { CADASTRE_REDIS_URL: redis.url } : {},
    say,
    onEnd,
  });
  const plan = registryPlan({ objects, seed, source });
  const dump = join(directory, 'dump.rpsl');
  await writeDump(dump, { objects, seed, source }, objectsForWrites(), say);
  const load = await measureLoad(system, dump, source, say);
  await rm(dump);
  const memoryAfterLoad = await memoryOf(system.pid);
  const disk = await measureDisk(system.databaseUrl);
  const copy = await measureCopy(system.databaseUrl, join(directory, 'rows.bin'), rounds, say);
  const requested = { plan, thread, server: await serverOf(system) };
  const reads = await measureReads(requested, system, settings, say);
  const writes = await measureWrites(requested, system, settings, say);
  const memoryAtEnd = await memoryOf(system.pid);
  const filters = await measureWhois(requested, system, around);
  say('Restarting');
  const again = await system.restart({});
  const openSearch = settings.searchAdapters.includes('opensearch')
    ? await measureOpenSearch(again, thread, plan, { rounds, seconds, say })
    : undefined;
  const { mirrors, meanwhile: mail } = await measureMirrors(again, thread, around, () => measureMail(around, thread));
  const after = await readRevision();
  return {
    date,
    // Files that changed during the run make the figures those of no commit.
    revision: { ...before, dirty: before.dirty || after.dirty || before.commit !== after.commit },
    machine: describeMachine(),
    settings,
    limitsShared: redis !== undefined,
    load,
    copy,
    disk,
    memoryAfterLoad,
    memoryAtEnd,
    ...reads,
    ...writes,
    ...filters,
    mail,
    mirrors,
    ...(oneClientSmall && { oneClientSmall }),
    restartSeconds: again.readySeconds,
    seconds: (performance.now() - start) / 1000,
    ...(openSearch && { openSearch }),
  };
}

/** Port 43, and mixes. Loads the set after the measurements that it would change: load, disk, memory. */
async function measureWhois(
  requested: Requested,
  system: TestedSystem,
  { settings: { objects, seed, rounds, seconds, connections }, directory, say }: Surroundings,
): Promise<Pick<Results, 'whois' | 'commands' | 'mixes'>> {
  const dump = join(directory, 'set.rpsl');
  await writeObjects(dump, setForFilters({ objects, seed, source }));
  await loadDump(system, dump, source, say);
  await rm(dump);
  const { beside, alone } = whoisContests(requested, system.addresses.whois);
  const run = { what: 'Port 43', rounds, seconds, say };
  const whois = await runContests(beside, run);
  const commands = await runContests(alone, { ...run, what: 'Commands of port 43' });
  const mixes = await runContests(mixContests(requested, system, connections), { ...run, what: 'Mixes' });
  return { whois, commands, mixes };
}

/** Reads by one client from a system with fewer objects. */
async function measureSmall({ settings, directory, say, onEnd }: Surroundings, thread: LoadThread) {
  const { smallObjects: objects, seed, rounds } = settings;
  const system = await startTestedSystem({ directory: join(directory, 'small'), say, onEnd });
  const dump = join(directory, 'small.rpsl');
  await writeDump(dump, { objects, seed, source }, [], say);
  await loadDump(system, dump, source, say);
  const requested = { plan: registryPlan({ objects, seed, source }), thread, server: await serverOf(system) };
  const what = `One client, ${objects} objects`;
  const results = await runContests(oneClientContests(requested), { what, rounds, seconds: oneClientSeconds, say });
  await system.stop();
  return results;
}

async function measureReads(
  requested: Requested,
  system: TestedSystem,
  { connections, rounds, seconds, searchAdapters }: BenchSettings,
  say: (line: string) => void,
): Promise<Pick<Results, 'lookups' | 'rdap' | 'searches' | 'geo' | 'oneClient'>> {
  const run = { rounds, seconds, say };
  const bare = await startBareFastify(system, recordedPaths(requested.plan));
  const lookups = await runContests(lookupContests(requested, bare, connections), { ...run, what: 'Lookups' });
  await bare.stop();
  const rdap = await runContests(rdapContests(requested, connections), { ...run, what: 'RDAP' });
  const geo = await runContests(geoContests(requested), { ...run, what: 'Geo' });
  const oneClient = await runContests(oneClientContests(requested), {
    ...run,
    seconds: oneClientSeconds,
    what: 'One client',
  });
  if (!searchAdapters.includes('embedded')) return { lookups, rdap, searches: [], geo, oneClient };
  const searches = await runContests(searchContests(requested), { ...run, what: 'Searches' });
  return { lookups, rdap, searches, geo, oneClient };
}

async function measureWrites(
  requested: Requested,
  system: TestedSystem,
  { rounds, seconds }: BenchSettings,
  say: (line: string) => void,
): Promise<Pick<Results, 'writes' | 'inserts' | 'visibility'>> {
  const run = { rounds, seconds, say };
  const writes = await runContests(writeContests(requested, system.credential), { ...run, what: 'Writes' });
  const database = new pg.Pool({ connectionString: system.databaseUrl, max: Math.max(...writingClients) });
  const inserts = await runContests(insertContests(database, system), { ...run, what: 'Inserts' });
  await database.end();
  say('Visibility of writes');
  const visibility = await measureVisibility(system, watchedWrites);
  return { writes, inserts, visibility };
}
