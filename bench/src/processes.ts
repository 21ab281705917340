import { readdir, readFile } from 'node:fs/promises';
import { basename, parse } from 'node:path';

/** The program of a process, from its command line: `gateway`, `PostgreSQL`, `supervisor`, ... */
type ProcessGroup = string;

interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: ProcessGroup;
  readonly cpuMs: number;
}

/** Milliseconds per tick of /proc/PID/stat; the kernel's USER_HZ is 100 on every Linux that Node.js runs on. */
const tickMs = 10;

/** CPU time in milliseconds of each process below the given ones so far, by process number. */
export async function cpuTimes(
  roots: readonly number[],
): Promise<ReadonlyMap<number, { group: ProcessGroup; cpuMs: number }>> {
  const all = (await Promise.all(roots.map(processesBelow))).flat();
  return new Map(all.map(({ pid, group, cpuMs }) => [pid, { group, cpuMs }]));
}

/** The process numbers of a group below a process. */
export async function processesOf(root: number, group: ProcessGroup): Promise<number[]> {
  return (await processesBelow(root)).filter((one) => one.group === group).map(({ pid }) => pid);
}

/** Memory of each group of processes in MB (10^6 bytes). */
export interface Memory {
  readonly group: ProcessGroup;
  readonly processes: number;
  /** Proportional set size: pages that several processes share count once in the sum. */
  readonly pssMb: number;
  readonly rssMb: number;
}

export async function memoryOf(root: number): Promise<Memory[]> {
  const groups = new Map<ProcessGroup, { processes: number; pssMb: number; rssMb: number }>();
  for (const { pid, group } of await processesBelow(root)) {
    const sizes = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    const sum = groups.get(group) ?? { processes: 0, pssMb: 0, rssMb: 0 };
    groups.set(group, {
      processes: sum.processes + 1,
      pssMb: sum.pssMb + megabytes(sizes, 'Pss'),
      rssMb: sum.rssMb + megabytes(sizes, 'Rss'),
    });
  }
  return [...groups].map(([group, sizes]) => ({ group, ...sizes })).sort((a, b) => b.pssMb - a.pssMb);
}

/** The peak of resident memory so far of the mirror service below a process, in MB. */
export async function peakMirrorMb(root: number): Promise<number> {
  const pids = await processesOf(root, 'mirror');
  const statuses = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8')));
  return Math.max(...statuses.map((status) => megabytes(status, 'VmHWM')));
}

function megabytes(rollup: string, name: string): number {
  return (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) * 1024) / 1e6;
}

/** The process and all its descendants, without those that exit meanwhile. */
async function processesBelow(root: number): Promise<ProcessInfo[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = (await Promise.all(pids.map(readProcess))).filter((one) => one !== undefined);
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid } of found) {
    found.push(...all.filter(({ parent }) => parent === pid));
  }
  return found;
}

async function readProcess(pid: number): Promise<ProcessInfo | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = (await readFile(`/proc/${pid}/cmdline`, 'latin1')).split('\0');
    const cpuMs = (Number(fields[11]) + Number(fields[12])) * tickMs;
    return { pid, parent: Number(fields[1]), group: groupOf(command), cpuMs };
  } catch {
    return undefined;
  }
}

/**
 * services/objects/dist/main.js is "objects", services/whois/dist/index-process/main.js "whois index-process"; our other
 * programs have the name of their file, also those of bench.
 */
export function groupOf(command: readonly string[]): ProcessGroup {
  const script = command.slice(1).find((part) => /\.[jt]s$/.test(part));
  if (!script) return command[0]?.includes('postgres') ? 'PostgreSQL' : basename(command[0] ?? '');
  const [, service, part] = /([^/]+)\/dist\/(?:(.+)\/)?main\.js$/.exec(script) ?? [];
  if (service) return part ? `${service} ${part}` : service;
  const { name } = parse(script);
  return name === 'run' ? 'supervisor' : name;
}

/** CPU time of the whole machine since its start, in milliseconds. */
export async function machineCpuMs(): Promise<number> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(/ +/).slice(1).map(Number);
  return (user + nice + system + irq + softirq + steal) * tickMs;
}
