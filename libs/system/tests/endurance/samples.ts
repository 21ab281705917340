import { readFileSync } from 'node:fs';
import { descendants } from '../harness/processes.js';
import type { Registries } from './registries.js';
import type { Acknowledged } from './writers.js';

/** The memory of one process and its children at one time. */
export interface MemorySample {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The service and the number of its replica; or another program. */
  readonly name: string;
  readonly pid: number;
  /** Proportional set size: pages that several processes share count once in the sum. */
  readonly megabytes: number;
  /** Of a service: the used heap of its main thread, with what the next collection frees. */
  readonly heapMegabytes?: number | undefined;
}

/** How far the follower is behind: the age of the newest acknowledged write that it lacks. Milliseconds. */
export interface LagSample {
  readonly at: number;
  readonly milliseconds: number;
}

export interface Samples {
  readonly memory: MemorySample[];
  readonly lag: LagSample[];
}

/** Memory of all processes of both registries and of PostgreSQL. */
export async function sampleMemory({ main, follower }: Registries): Promise<MemorySample[]> {
  const at = Date.now();
  const ofCluster = (cluster: typeof main, prefix: string) =>
    Object.entries(cluster.replicas).flatMap(([service, replicas]) =>
      replicas.map(async (replica, n) => ({
        ...{ at, name: `${prefix}${service} ${n}`, pid: replica.pid() },
        heapMegabytes: await usedHeap(replica.operations),
      })),
    );
  const servers = descendants(process.pid).filter(({ command }) => /\/postgres -D /.test(command));
  return [
    ...(await Promise.all([...ofCluster(main, ''), ...ofCluster(follower, 'follower: ')])).flatMap((one) => {
      const megabytes = [one.pid, ...descendants(one.pid).map(({ pid }) => pid)].reduce(addPss, 0);
      return megabytes === 0 ? [] : [{ ...one, megabytes }];
    }),
    {
      at,
      name: 'PostgreSQL, all servers',
      pid: 0,
      megabytes: servers.flatMap(({ pid }) => [pid, ...descendants(pid).map((child) => child.pid)]).reduce(addPss, 0),
    },
    { at, name: 'this program', pid: process.pid, megabytes: addPss(0, process.pid) },
  ];
}

/** Undefined while the process does not answer. */
async function usedHeap(operations: string): Promise<number | undefined> {
  const signal = AbortSignal.timeout(5_000);
  const text = await fetch(`http://${operations}/metrics`, { signal })
    .then((response) => response.text())
    .catch(() => '');
  const bytes = /^nodejs_heap_size_used_bytes(?:\{.*\})? (\S+)$/m.exec(text)?.[1];
  return bytes === undefined ? undefined : Number(bytes) / 1e6;
}

function addPss(sum: number, pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return sum + (Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024) / 1e6;
  } catch {
    return sum; // It ended meanwhile.
  }
}

/** How long ago the first write was acknowledged that the follower does not have yet. */
export async function sampleLag(
  { follower }: Registries,
  query: (url: string, text: string) => Promise<{ rows: { number: number | null }[] }>,
  acknowledged: readonly Acknowledged[],
): Promise<LagSample> {
  const { rows } = await query(
    follower.postgresUrl,
    `select max(substring(text from 'AS-CHANGE-([0-9]+)')::integer) as number from objects.object o
     join objects.source s on s.id = o.source_id where s.name = 'OTHER-GRS' and key ~* '^as-end'`,
  );
  const at = Date.now();
  const newest = rows[0]?.number ?? -1;
  const missing = acknowledged.find(
    ({ number, type, action }) => number > newest && type === 'as-set' && action !== 'delete',
  );
  return { at, milliseconds: missing === undefined ? 0 : at - missing.at };
}
