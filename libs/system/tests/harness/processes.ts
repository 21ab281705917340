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
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return 0;
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
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return [];
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return [{ pid, started: fields[19] ?? '', command }];
  } catch {
    // The process ended meanwhile.
    return [];
  }
}
