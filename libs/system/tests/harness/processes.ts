import { readdirSync, readFileSync } from 'node:fs';

const tickMs = 10;

/** A process in /proc. */
export interface ProcessEntry {
  pid: number;
  /** Distinguishes two processes with the same number. */
  started: string;
  command: string;
}

/** All descendants of a process, except zombies. The main thread of its parent started each. */
export function descendants(pid: number): ProcessEntry[] {
  return childrenOf(pid).flatMap((child) => [...readProcess(child), ...descendants(child)]);
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    // The process ended meanwhile.
    return [];
  }
}

/** CPU time of a process in milliseconds, including ended threads, to the tick (proc(5), stat); 0 when it has ended. */
export function cpuMsOf(pid: number): number {
  return sumOfTicks(statOf(pid)?.slice(11, 13));
}

/** Like `cpuMsOf`, with the exited children for which the process has waited. */
export function cpuMsWithChildrenOf(pid: number): number {
  return sumOfTicks(statOf(pid)?.slice(11, 15));
}

function sumOfTicks(ticks: readonly string[] = []): number {
  return ticks.reduce((sum, one) => sum + Number(one), 0) * tickMs;
}

/** The fields of /proc/PID/stat from the third on, the state; undefined when the process has ended. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** The processes that still run. */
export function stillAlive(processes: ProcessEntry[]): ProcessEntry[] {
  const now = new Map(listProcesses().map((entry) => [entry.pid, entry.started]));
  return processes.filter((entry) => now.get(entry.pid) === entry.started);
}

function listProcesses(): ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)));
}

function readProcess(pid: number): ProcessEntry[] {
  const fields = statOf(pid);
  if (fields === undefined || fields[0] === 'Z') return [];
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return [{ pid, started: fields[19] ?? '', command }];
  } catch {
    // The process ended meanwhile.
    return [];
  }
}
