import { readFile } from 'node:fs/promises';
import { createHistogram } from 'node:perf_hooks';
import type { RunResult, Target } from './load-generator.ts';
import type { LoadThread } from './load-thread.ts';
import type { Scenario } from './scenarios.ts';
import { limitedAddress, type TestedSystem } from './tested-system.ts';

/** One side of a comparison: a server or a database that answers numbered requests. */
export interface Side {
  /** Processes whose descendants do the work. */
  readonly roots: readonly number[];
  readonly first: number;
  /** Prepares requests from this number on, enough for this number of seconds. */
  open(from: number, seconds: number): Promise<Opened>;
}

/** A side that is ready to answer. */
export interface Opened {
  /** Sends requests at this rate, or as many as the other side answers. */
  run(seconds: number, perSecond?: number): Promise<RunResult>;
  close(): Promise<void>;
}

/** Servers of the same paths. */
export interface Server {
  readonly http: string | URL;
  readonly https: string | URL;
  /** The processes that respond. */
  readonly roots: readonly number[];
  /** For HTTPS. */
  readonly certificate: string;
}

export async function serverOf({ addresses, pid }: TestedSystem): Promise<Server> {
  const certificate = await readFile(addresses.certificate, 'utf8');
  return { http: addresses.http, https: addresses.https, roots: [pid], certificate };
}

interface HttpOptions {
  readonly connections: number;
  readonly https?: boolean;
  /** Sends from an address with limits. */
  readonly limited?: boolean;
}

/** Enough for a second of the fastest reads. */
const maxPerSecond = 30_000;

/** An HTTP server under measurement. */
export function httpSide(thread: LoadThread, server: Server, scenario: Scenario, options: HttpOptions): Side {
  return {
    roots: server.roots,
    first: scenario.first ?? 0,
    async open(from, seconds) {
      const { distinct, request, statuses } = scenario;
      const length = Math.min(distinct, Math.ceil(seconds * (scenario.maxPerSecond ?? maxPerSecond)));
      const requests = Array.from({ length }, (_, n) => request((from + n) % distinct));
      await thread.open({ target: targetOf(server, options), requests, statuses });
      return thread;
    },
  };
}

function targetOf(server: Server, { connections, https = false, limited = false }: HttpOptions): Target {
  const { hostname, port } = new URL(https ? server.https : server.http);
  return {
    host: limited ? '127.0.0.1' : hostname,
    port: Number(port),
    connections,
    ...(https ? { certificate: server.certificate } : {}),
    ...(limited ? { localAddress: limitedAddress } : {}),
  };
}

/** Numbered pieces of work, and how to end their preparation. */
export interface Work {
  work(n: number): Promise<void>;
  close?(): Promise<void>;
}

/** Repeated work of this process. */
export function workSide(
  { roots, clients }: { readonly roots: readonly number[]; readonly clients: number },
  prepare: () => Promise<Work>,
): Side {
  return {
    roots,
    first: 0,
    async open(from) {
      const { work, close } = await prepare();
      let next = from;
      return { run: (seconds) => repeat(clients, seconds, () => work(next++)), close: async () => close?.() };
    },
  };
}

async function repeat(clients: number, seconds: number, work: () => Promise<void>): Promise<RunResult> {
  const latency = createHistogram({ lowest: 1, highest: 60_000_000 });
  const cpu = process.threadCpuUsage();
  const start = performance.now();
  let requests = 0;
  const client = async () => {
    for (let now = start; now < start + seconds * 1000; ) {
      const before = now;
      await work();
      requests += 1;
      now = performance.now();
      latency.record(Math.max(1, Math.round((now - before) * 1000)));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const used = process.threadCpuUsage(cpu);
  return {
    requests,
    failures: 0,
    seconds: (performance.now() - start) / 1000,
    p50Ms: latency.percentile(50) / 1000,
    p99Ms: latency.percentile(99) / 1000,
    cpuMs: (used.user + used.system) / 1000,
  };
}
