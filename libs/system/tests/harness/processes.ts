import { readdirSync, readFileSync } from 'node:fs';

/** A process as /proc shows it. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  /** Tells two processes with one number apart. */
  started: string;
  command: string;
}

/** All processes that descend from one, zombies left out. */
export function descendants(pid: number): ProcessEntry[] {
  const all = listProcesses();
  const found: ProcessEntry[] = [];
  for (const parents = [pid]; parents.length > 0; ) {
    const parent = parents.pop();
    const children = all.filter((entry) => entry.parent === parent);
    found.push(...children);
    parents.push(...children.map((child) => child.pid));
  }
  return found;
}

/** Those of the processes that are still there. */
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
    return [{ pid, parent: Number(fields[1]), started: fields[19] ?? '', command }];
  } catch {
    // It ended while we were reading.
    return [];
  }
}
