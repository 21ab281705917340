import { availableParallelism } from 'node:os';
import { cpuTimes, machineCpuMs } from './processes.ts';

/** CPU time during a measurement. */
export interface CpuUse {
  /** Milliseconds by group of processes. */
  readonly groups: ReadonlyMap<string, number>;
  /** All other programs on this machine, in percent of all its processors. */
  readonly foreignPercent: number;
}

/** Does the work and measures the CPU time of the processes below `roots`, without those that exit meanwhile. */
export async function measureCpu<T>(
  roots: readonly number[],
  work: () => Promise<T>,
): Promise<{ result: T; cpu: CpuUse }> {
  const before = await sample(roots);
  const result = await work();
  const after = await sample(roots);
  const groups = new Map<string, number>();
  for (const [process, { group, cpuMs }] of after.processes) {
    const used = cpuMs - (before.processes.get(process)?.cpuMs ?? 0);
    groups.set(group, (groups.get(group) ?? 0) + used);
  }
  const theirs = [...groups.values()].reduce((sum, ms) => sum + ms, 0);
  const foreignMs = after.machineMs - before.machineMs - theirs - (after.ownMs - before.ownMs);
  const capacityMs = (after.time - before.time) * availableParallelism();
  return { result, cpu: { groups, foreignPercent: Math.max(0, (100 * foreignMs) / capacityMs) } };
}

/** Microseconds for each of `count` items, by group of processes. */
export function cpuUsEach({ groups }: CpuUse, count: number): Record<string, number> {
  return Object.fromEntries([...groups].map(([group, ms]) => [group, (ms * 1000) / count]));
}

async function sample(roots: readonly number[]) {
  const own = process.cpuUsage();
  const time = performance.now();
  const [processes, machineMs] = await Promise.all([cpuTimes(roots), machineCpuMs()]);
  return { time, processes, machineMs, ownMs: (own.user + own.system) / 1000 };
}
