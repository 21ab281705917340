import { readFileSync } from 'node:fs';
import type { Replica } from '../harness/cluster.js';
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
  /** Of a service: what its main thread keeps in its heap and in buffers after a collection. */
  readonly collectedMegabytes?: number | undefined;
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
        collectedMegabytes: await collected(replica),
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

/** Lets a service collect its garbage. Returns what is left; undefined while the process does not answer. */
async function collected({ pid, operations }: Replica): Promise<number | undefined> {
  try {
    process.kill(pid(), 'SIGUSR2');
    const signal = AbortSignal.timeout(5_000);
    // The first answer may come before the signal.
    await (await fetch(`http://${operations}/metrics`, { signal })).text();
    const text = await (await fetch(`http://${operations}/metrics`, { signal })).text();
    const bytesOf = (name: string) => Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text)?.[1]);
    return (bytesOf('nodejs_heap_size_used_bytes') + bytesOf('nodejs_external_memory_bytes')) / 1e6;
  } catch {
    return undefined; // It has ended, or hangs.
  }
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
