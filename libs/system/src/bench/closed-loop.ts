import { createHistogram } from 'node:perf_hooks';
import { cpuUsEach, measureCpu } from './cpu-use.js';
import { median } from './statistics.js';

/** Repeated work of several clients; each starts the next piece when the last one is done. */
export interface Series {
  readonly count: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Microseconds of CPU for each piece, by group of processes. */
  readonly cpuUs: Record<string, number>;
  readonly foreignPercent: number;
}

/** Does the n-th piece of work and returns its amount. */
export type Work = (n: number) => Promise<number>;

const warmUpSeconds = 0.7;

/** Repeats the work for this time with this many clients; `roots` are the processes whose descendants do it. */
export async function closedLoop(
  roots: number | readonly number[],
  clients: number,
  seconds: number,
  work: Work,
): Promise<Series> {
  const { begun } = await repeat(clients, warmUpSeconds, 0, work);
  const { result, cpu } = await measureCpu(roots, () => repeat(clients, seconds, begun, work));
  const { count, latency } = result;
  return {
    count,
    perSecond: count / result.seconds,
    p50Ms: latency.percentile(50) / 1000,
    p99Ms: latency.percentile(99) / 1000,
    cpuUs: cpuUsEach(cpu, count),
    foreignPercent: cpu.foreignPercent,
  };
}

async function repeat(clients: number, seconds: number, from: number, work: Work) {
  const latency = createHistogram({ lowest: 1, highest: 60_000_000 });
  let begun = from;
  let count = 0;
  const start = performance.now();
  const client = async () => {
    for (let now = start; now < start + seconds * 1000; ) {
      const before = performance.now();
      const done = await work(begun++);
      count += done;
      now = performance.now();
      latency.record(Math.max(1, Math.round((now - before) * 1000)));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { begun, count, latency, seconds: (performance.now() - start) / 1000 };
}

/** The medians of several rounds. */
export function middleOf(rounds: readonly Series[]): Series {
  const middle = (of: (round: Series) => number) => median(rounds.map(of));
  const groups = Object.keys(rounds[0]?.cpuUs ?? {});
  return {
    count: rounds.reduce((sum, { count }) => sum + count, 0),
    perSecond: middle(({ perSecond }) => perSecond),
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
    cpuUs: Object.fromEntries(groups.map((group) => [group, middle(({ cpuUs }) => cpuUs[group] ?? 0)])),
    foreignPercent: middle(({ foreignPercent }) => foreignPercent),
  };
}
