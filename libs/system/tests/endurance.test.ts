import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Checked, checkAll } from './endurance/check.js';
import { faultsOf } from './endurance/faults.js';
import { type Actor, type ChangeReader, every, startChangeReader, startReaders } from './endurance/load.js';
import { pageOf } from './endurance/page.js';
import { type Receivers, startReceivers } from './endurance/receivers.js';
import { createRecord } from './endurance/record.js';
import { type Registries, startRegistries } from './endurance/registries.js';
import { type Samples, sampleLag, sampleMemory } from './endurance/samples.js';
import { prepareWriters, startWriters, type Writers } from './endurance/writers.js';
import type { Cluster } from './harness/cluster.js';
import { cpuMsOf, descendants } from './harness/processes.js';

// A mixed load for hours, with faults one after the other: nothing may be lost, and no memory may grow. `make endurance`
// runs it and writes docs/measurements/endurance.md. Zero hours: each fault once, with mirrors that do not wait minutes.
const hours = process.env.CADASTRE_ENDURANCE_HOURS;
const page =
  process.env.CADASTRE_ENDURANCE_PAGE ??
  fileURLToPath(new URL('../../../docs/measurements/endurance.md', import.meta.url));
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const endMs = Number(hours ?? 0) * 3_600_000;
/** Time between two faults. */
const pauseMs = endMs === 0 ? 2_000 : 75_000;
const sampleMs = endMs === 0 ? 10_000 : 60_000;
const pageMs = endMs === 0 ? 60_000 : 600_000;
/** More than the writers make in that time. */
const writesOfEach = 3_000 + 2 * Math.ceil(endMs / 1000);

vi.setConfig({ testTimeout: endMs + 3_600_000, hookTimeout: 900_000 });

const say = (line: string) => console.log(line);
const loads: number[] = [];
const samples: Samples = { memory: [], lag: [] };
let record: ReturnType<typeof createRecord>;
let registries: Registries;
let writers: Writers;
let receivers: Receivers;
let changes: ChangeReader;
let actors: Actor[] = [];

beforeAll(async () => {
  registries = await startRegistries(endMs === 0);
  record = createRecord(say);
  const certificate = await prepareWriters(registries, writesOfEach);
  receivers = await startReceivers(registries, record);
  changes = startChangeReader(registries, record);
  writers = startWriters(registries, record, certificate);
  actors = [
    ...startReaders(registries, record),
    every(sampleMs, record, sample),
    every(pageMs, record, () => writePage(undefined)),
  ];
});

afterAll(async () => {
  await Promise.all([...actors, changes].map((actor) => actor?.stop()));
  receivers?.close();
  await registries?.stop();
});

async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(Object.assign(new URL(url), { pathname: '/cadastre' }).href);
  client.on('error', () => {});
  await client.connect();
  return client.query(text).finally(() => client.end());
}

async function sample(): Promise<void> {
  samples.memory.push(...(await sampleMemory(registries)));
  addCpu();
  loads.push(loadavg()[0]!);
  samples.lag.push(await sampleLag(registries, query, writers.acknowledged));
  const requests = [...record.counts.values()].reduce((sum, one) => sum + one.requests, 0);
  const failed = [...record.counts.values()].reduce((sum, one) => sum + one.failed, 0);
  const lag = Math.round(samples.lag.at(-1)!.milliseconds / 1000);
  say(
    `${new Date().toISOString()} ${requests} requests, ${failed} failed, ${writers.acknowledged.length} writes, ` +
      `${record.faults.length} faults, ${record.notes.length} notes, the follower is ${lag} s behind, cpu ${cpu().toFixed(2)}`,
  );
}

/** Milliseconds of CPU by process: of all that ran when a sample was taken, and what they had at the first one. */
const cpuMs = new Map<string, number>();
let firstCpu: { readonly sum: number; readonly at: number } | undefined;
const sumOfCpu = () => [...cpuMs.values()].reduce((sum, one) => sum + one, 0);

function addCpu(): void {
  for (const { pid, started } of descendants(process.pid)) {
    const key = `${pid} ${started}`;
    // 0 when it has ended meanwhile.
    cpuMs.set(key, Math.max(cpuMs.get(key) ?? 0, cpuMsOf(pid)));
  }
  firstCpu ??= { sum: sumOfCpu(), at: Date.now() };
}

/** Seconds of CPU per second. */
function cpu(): number {
  if (firstCpu === undefined) return 0;
  return (sumOfCpu() - firstCpu.sum) / Math.max(1, Date.now() - firstCpu.at);
}

async function writePage(checked: readonly Checked[] | undefined): Promise<void> {
  const text = pageOf({
    record,
    samples,
    machine: `a machine with ${availableParallelism()} cores`,
    commit,
    command: `make endurance HOURS=${hours ?? 0}`,
    writes: writers.acknowledged.length,
    cpu: cpu(),
    loadAverage: loads.toSorted((a, b) => a - b)[Math.floor(loads.length / 2)] ?? 0,
    logged: new Map([...(await errorsOf(registries.main)), ...(await errorsOf(registries.follower))]),
    checked,
  });
  await writeFile(page, text);
}

/** Lines of the logs of a registry with level error, by service and message. */
async function errorsOf({ logs }: Cluster): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const name of await readdir(logs)) {
    for (const line of (await readFile(join(logs, name), 'utf8')).split('\n')) {
      if (!/"level":"?(error|fatal|50|60)/.test(line)) continue;
      const text = `${name.replace(/-\d+(\.\d+)?\.log$/, '')}: ${/"msg":"([^"]*)"/.exec(line)?.[1] ?? line.slice(0, 200)}`;
      found.set(text, (found.get(text) ?? 0) + 1);
    }
  }
  return found;
}

test.skipIf(hours === undefined)('mixed load with faults: nothing acknowledged is lost', async () => {
  const kinds = faultsOf(registries, writers, receivers);
  for (let n = 0; endMs === 0 ? n < kinds.length : Date.now() < record.started + endMs - pauseMs; n++) {
    await delay(pauseMs);
    const { name, inject } = kinds[n % kinds.length]!;
    await record.fault(name, inject);
  }
  await delay(Math.max(20_000, record.started + endMs - Date.now()));
  await writers.stop();
  // The address of PostgreSQL is in this process, too: the comparison must not compete with the load.
  await Promise.all(actors.splice(0).map((actor) => actor.stop()));
  const checked = await checkAll(registries, writers, receivers, changes).catch((error): Checked[] => [
    { what: 'everything', compared: 0, wrong: [`the comparison failed: ${String((error as Error).stack ?? error)}`] },
  ]);
  await sample();
  await writePage(checked);
  expect(checked.flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(record.notes.filter((note) => /LOST|a write was refused/.test(note))).toEqual([]);
});
