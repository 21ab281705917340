import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeSettings, readSettings } from '@cadastre/service';
import { registryPlan } from '@cadastre/synthetic';
import { type BenchSettings, benchSettings } from './bench-settings.js';
import { writeDump } from './dump-file.js';
import { describeMachine } from './machine.js';
import { measureAllQueries } from './measure-all-queries.js';
import { measureCopy } from './measure-copy.js';
import { measureLoad } from './measure-load.js';
import { measureLookups } from './measure-lookups.js';
import { measureOpenSearch } from './measure-opensearch.js';
import { measureWrites } from './measure-writes.js';
import { missingForOpenSearch } from './opensearch-node.js';
import { memoryOf } from './processes.js';
import { queryReportOf } from './query-report.js';
import { startBenchRedis } from './redis-server.js';
import { type Results, reportOf } from './report.js';
import { startTestedSystem, type TestedSystem } from './tested-system.js';

const source = 'TEST';
const writingClients = [1, 16];

const say = (line: string) => console.log(line);

/** Measures everything in one run, on one system, so that figures and ceilings are comparable. */
async function measure(
  settings: BenchSettings,
  system: TestedSystem,
  directory: string,
): Promise<Omit<Results, 'limitsShared'>> {
  const { objects, seed, rounds, seconds } = settings;
  const registry = { objects, seed, source };
  const dump = join(directory, 'dump.rpsl');
  say(`Generating ${objects} objects`);
  await writeDump(dump, registry);
  say('Loading them');
  const load = await measureLoad(system, dump, source);
  const memoryAfterLoad = await memoryOf(system.pid);
  say('Copying the same rows');
  const copy = await measureCopy(system.databaseUrl, join(directory, 'rows.bin'), rounds);
  const lookups = await measureLookups(system, registryPlan(registry), settings, say);
  say('Writes');
  const writes = await measureWrites(system, writingClients, seconds);
  const queries = await measureAllQueries(system, registryPlan(registry), settings, say);
  const memoryAtEnd = await memoryOf(system.pid);
  const openSearch = isOpenSearchWanted(settings) && (await measureOpenSearch(system, source, settings, say));
  const date = new Date().toISOString();
  const machine = await describeMachine();
  const measured = { load, copy, lookups, writes, queries, ...(openSearch && { openSearch }) };
  return { date, machine, settings, ...measured, memoryAfterLoad, memoryAtEnd };
}

function isOpenSearchWanted({ searchAdapters }: BenchSettings): boolean {
  if (!searchAdapters.includes('opensearch')) return false;
  const missing = missingForOpenSearch();
  if (missing.length > 0) say(`OPENSEARCH IS NOT MEASURED, for lack of ${missing.join(', ')}`);
  return missing.length === 0;
}

async function keep(results: Results): Promise<string> {
  const file = join(results.settings.results, `${results.date.replaceAll(':', '-')}.json`);
  await mkdir(results.settings.results, { recursive: true });
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  return file;
}

async function main(): Promise<void> {
  const settings = readSettings(benchSettings);
  const directory = await mkdtemp(join(tmpdir(), 'cadastre-bench-'));
  const cleaners = [() => rm(directory, { recursive: true, force: true })];
  const cleanUp = async () => {
    for (const clean of cleaners.splice(0)) await clean();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanUp().then(() => process.exit(1)));
  }
  try {
    const redis = await startBenchRedis();
    if (redis) cleaners.unshift(redis.stop);
    else say('LIMITS ARE MEASURED WITHOUT REDIS: redis-server is missing');
    const system = await startTestedSystem(say, redis ? { CADASTRE_REDIS_URL: redis.url } : {});
    cleaners.unshift(system.stop);
    const results = { ...(await measure(settings, system, directory)), limitsShared: redis !== undefined };
    say(`\n${reportOf(results)}`);
    say(queryReportOf(results.queries, results.openSearch));
    say(`Results are in ${await keep(results)}`);
  } finally {
    await cleanUp();
  }
}

if (process.argv.includes('--help')) {
  say(describeSettings(benchSettings));
} else {
  await main();
}
