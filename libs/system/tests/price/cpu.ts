import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMsOf, descendants } from '../harness/processes.js';

/** CPU time in milliseconds of the reference machine (see `referenceWork`). */
export interface Price {
  /** The longest turn of any service's event loop, which delays others. 0 for turns too short to be recorded. */
  readonly held: number;
  /** The service of `held`. */
  readonly holder: string;
  /** Mean time of all threads of all processes per request, including the database. */
  readonly spent: number;
}

/** The maximum of a price. */
type Limit = Pick<Price, 'held' | 'spent'>;

/** A running system that records its turns. */
export interface Measured {
  /** Process of its supervisor. */
  readonly pid: number;
  /** Directory of the records. */
  readonly turns: string;
}

const services = ['gateway', 'objects', 'auth', 'search', 'events', 'whois', 'mirror'];
const quietIntervalMs = 50;
/** A system counts as busy while it uses this much more of a processor than when idle, as a factor and in addition. */
const quietFactor = 1.5;
const quietShare = 0.15;
/** Work that continues for longer after a request causes a second measurement of the next row. */
const leftoverTimeoutMs = 5_000;
/** Duration and number of measurements of an idle system; the median counts. */
const idleIntervalMs = 200;
const idleIntervals = 9;

/** Settings with which a system records its turns in a directory. */
export async function probed(): Promise<{ turns: string; env: Record<string, string> }> {
  const turns = await mkdtemp(join(tmpdir(), 'cadastre-turns-'));
  const probe = new URL('turn-probe.ts', import.meta.url).href;
  return { turns, env: { CADASTRE_TEST_TURN_PROBE: turns, NODE_OPTIONS: `--import=${probe}` } };
}

/**
 * Sends sequential requests to a quiet system and measures their cost in its services, until the system is quiet again.
 * Turns of the event loop are measured in CPU time of its thread, since the clock depends on other programs.
 */
export async function priceOf(
  measured: Measured,
  requests: readonly (() => Promise<void>)[],
  budget: Limit,
): Promise<Price> {
  const idle = await idleShare(measured.pid);
  const before = spentSoFar(measured.pid);
  const turnsBefore = await turnsOf(measured);
  const began = performance.now();
  for (const request of requests) await request();
  await untilQuiet(measured.pid);
  const unasked = idle * (performance.now() - began);
  const turns = await turnsOf(measured);
  const worst = services
    .map((service) => ({ service, turn: Math.max(0, ...turns[service]!.slice(turnsBefore[service]!.length)) }))
    .reduce((a, b) => (b.turn > a.turn ? b : a));
  // The database may have ended processes meanwhile, with the time that they had.
  const spentBy = [...spentSoFar(measured.pid)].map(([pid, ms]) => ms - (before.get(pid) ?? 0));
  const spent = Math.max(0, spentBy.reduce((sum, ms) => sum + ms, 0) - unasked) / requests.length;
  const priceWhen = (workMs: number): Price => {
    const slowness = workMs / referenceMs;
    return { held: worst.turn / slowness, holder: worst.service, spent: spent / slowness };
  };
  const max = priceWhen(quickestWorkMs);
  // Two threads on one core slow each other down; the reference work runs under the same conditions.
  return excess(max, budget) <= 1 ? max : priceWhen(referenceWork());
}

/** The long turns of each service since its start, in milliseconds of this machine. */
async function turnsOf({ turns }: Measured): Promise<Record<string, number[]>> {
  const lists = services.map(async (service) => {
    const lines = await readFile(join(turns, service), 'utf8').catch(() => '');
    return [service, lines.split('\n').filter(Boolean).map(Number)] as const;
  });
  return Object.fromEntries(await Promise.all(lists));
}

/** Factor by which other programs may inflate the measured cost of a request, while they take both processors. */
const noise = 10;

/**
 * Measures until the price is within the budget; up to this many times, and once if it is far beyond. The lowest
 * measurement counts: other programs only add.
 */
export async function leastPrice(times: number, budget: Limit, measure: () => Promise<Price>): Promise<Price> {
  let least = await measure();
  for (let time = 1; time < times && excess(least, budget) > 1 && excess(least, budget) < noise; time++) {
    const price = await measure();
    if (excess(price, budget) < excess(least, budget)) least = price;
  }
  return least;
}

/** The price as a multiple of its budget; at most 1 when it is within. */
function excess({ held, spent }: Price, budget: Limit): number {
  return Math.max(held / budget.held, spent / budget.spent);
}

/** Waits until a system is idle, but for the timers and heartbeats that it always has. */
export async function untilQuiet(supervisor: number): Promise<void> {
  const share = (await idleShare(supervisor)) * quietFactor + quietShare;
  const giveUp = performance.now() + leftoverTimeoutMs;
  while (performance.now() < giveUp) if ((await shareDuring(supervisor, quietIntervalMs)) <= share) return;
}

const idleShares = new Map<number, Promise<number>>();

/** The share of a processor that an idle system uses, as it is when this is first called. */
function idleShare(supervisor: number): Promise<number> {
  const known = idleShares.get(supervisor) ?? measureIdleShare(supervisor);
  idleShares.set(supervisor, known);
  return known;
}

async function measureIdleShare(supervisor: number): Promise<number> {
  const shares: number[] = [];
  for (let n = 0; n < idleIntervals; n++) shares.push(await shareDuring(supervisor, idleIntervalMs));
  return shares.sort((a, b) => a - b)[Math.floor(idleIntervals / 2)]!;
}

/** The share of a processor that the services and the database use during a time. */
async function shareDuring(supervisor: number, ms: number): Promise<number> {
  const processes = programs(supervisor);
  const busy = (): number => processes.reduce((sum, pid) => sum + threadsMs(pid), 0);
  const [before, began] = [busy(), performance.now()];
  await sleep(ms);
  return (busy() - before) / (performance.now() - began);
}

/** The time of each process. */
function spentSoFar(supervisor: number): ReadonlyMap<number, number> {
  return new Map(programs(supervisor).map((pid) => [pid, cpuMsOf(pid)]));
}

/** The services with processes of their own, and the processes of the database. */
function programs(supervisor: number): number[] {
  const wanted = /services\/\w+\/dist\/|^\S*postgres/;
  return descendants(supervisor).flatMap(({ pid, command }) => (wanted.test(command) ? [pid] : []));
}

/** CPU time of the current threads of a process, to the nanosecond (proc(5), schedstat). */
function threadsMs(pid: number): number {
  const threads = listed(`/proc/${pid}/task`);
  return (
    threads.reduce((sum, thread) => sum + Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]), 0) / 1e6
  );
}

/** Empty when the process or thread has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function listed(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Time of the reference work on the machine that defines the budgets. */
const referenceMs = 10;
const referenceText = JSON.stringify(Array.from({ length: 5_000 }, (_, n) => ({ name: `remarks${n}`, value: `${n}` })));

/** CPU time in milliseconds of work like that of the services, on this machine in its current state. */
function referenceWork(): number {
  const before = process.threadCpuUsage();
  for (let times = 0; times < 6; times++) JSON.stringify(JSON.parse(referenceText));
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Time of the reference work on this idle machine. */
const quickestWorkMs = Math.min(...Array.from({ length: 20 }, referenceWork));
