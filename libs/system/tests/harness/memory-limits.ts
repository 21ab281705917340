import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { descendants } from './processes.js';

/** The services that have pods of their own in the chart. */
const limitedServices = ['gateway', 'objects', 'auth', 'search', 'events', 'whois', 'mirror'] as const;
export type LimitedService = (typeof limitedServices)[number];

/** What a service has used since the system started. Bytes. */
export interface MemoryUse {
  readonly service: LimitedService;
  readonly limit: number;
  /** Maximum of its processes (VmHWM), without the kernel's file cache, which the kernel can reclaim. */
  readonly peak: number;
  /** Current memory of its processes. */
  readonly now: number;
  /** Maximum of its cgroup, including the file cache; undefined without cgroups. */
  readonly groupPeak?: number;
  /** How often the kernel has killed it; undefined without cgroups. */
  readonly killed?: number;
  /** How often it, or its index process, was restarted. */
  readonly restarts: number;
}

/** Cgroups for the services of one system. */
export interface MemoryLimits {
  /**
   * What limits the services: the kernel, as in Kubernetes; or nothing on this machine, which then only measures
   * memory.
   */
  readonly by: 'cgroup v1' | 'cgroup v2' | 'nothing';
  /** Settings for `runSystem`. */
  readonly env: Record<string, string>;
  /** The use of every service that has been started. */
  uses(supervisor: number): MemoryUse[];
  /** Call it when the system has stopped. */
  remove(): void;
}

const valuesFile = fileURLToPath(new URL('../../../../deploy/helm/cadastre/values.yaml', import.meta.url));
const dockerfile = fileURLToPath(new URL('../../../../Dockerfile', import.meta.url));
const preload = new URL('launch-limited.mjs', import.meta.url).href;

/** The limit on memory of a service's container in the chart, in bytes. */
export function chartLimit(service: LimitedService): number {
  const values = parse(readFileSync(valuesFile, 'utf8')) as Record<
    string,
    { resources?: { limits?: { memory: string } } }
  >;
  const memory = (values[service]?.resources?.limits ?? values.defaults!.resources!.limits!).memory;
  const [, number, unit = ''] = /^(\d+)([KMG]i)?$/.exec(memory) ?? [];
  if (number === undefined) throw new Error(`values.yaml: ${service} has the memory limit "${memory}"`);
  return Number(number) * { '': 1, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 }[unit]!;
}

/**
 * Prepares a system whose services have the chart's limits: each starts in a cgroup of its own, before it allocates
 * memory, with the flags of Node.js of a container, so that the limit determines the size of its heap. The kernel kills
 * a service that needs more, as in Kubernetes; the supervisor restarts it, and counts that.
 */
export function prepareMemoryLimits(): MemoryLimits {
  const folder = mkdtempSync(join(tmpdir(), 'cadastre-memory-'));
  const starts = join(folder, 'starts');
  const launcher = join(folder, 'node');
  writeFileSync(starts, '');
  const groups = makeGroups(`cadastre-test-${process.pid}-${Date.now()}`);
  if (groups.by === 'nothing') {
    console.warn('MEMORY IS NOT LIMITED: no cgroups can be made here (root is needed). It is only measured.');
  }
  writeFileSync(launcher, launcherText(starts, groups), { mode: 0o700 });
  return {
    by: groups.by,
    env: { CADASTRE_TEST_LAUNCHER: launcher, CADASTRE_TEST_STARTS: starts, NODE_OPTIONS: `--import=${preload}` },
    uses(supervisor) {
      const started = readFileSync(starts, 'utf8').split('\n');
      const processes = descendants(supervisor);
      return limitedServices.flatMap((service) => {
        const timesOf = (name: string) => started.filter((one) => one === name).length;
        const times = Math.max(timesOf(service), timesOf(`${service} index`));
        if (times === 0) return [];
        const own = processes.filter(({ command }) => command.includes(`services/${service}/dist/`));
        const sum = (field: string) => own.reduce((bytes, { pid }) => bytes + statusBytes(pid, field), 0);
        const memory = { peak: sum('VmHWM'), now: sum('VmRSS') };
        return [{ service, limit: chartLimit(service), ...memory, ...groups.useOf(service), restarts: times - 1 }];
      });
    },
    remove() {
      groups.remove();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Moves itself into the cgroup of the service that it starts, and becomes that service. */
function launcherText(starts: string, { fileOf }: Groups): string {
  const cases = limitedServices.map((service) => {
    const file = fileOf(service);
    return `    */services/${service}/dist/main.js) echo ${service} >> '${starts}'; ${file ? `echo $$ > '${file}'` : ':'} ;;`;
  });
  return [
    '#!/bin/sh',
    'for argument do',
    '  shift',
    '  case "$argument" in',
    ...cases,
    '    --max-old-space-size=*|--max-semi-space-size=*|--min-semi-space-size=*) continue ;;',
    '  esac',
    '  set -- "$@" "$argument"',
    'done',
    `exec '${process.execPath}' ${imageFlags().join(' ')} ${process.env.ATTACK_FLAGS ?? ''} "$@"`,
    '',
  ].join('\n');
}

/** The flags of Node.js in an image of a service. */
function imageFlags(): string[] {
  const [, entry = '[]'] = /^ENTRYPOINT (\[.*\])$/m.exec(readFileSync(dockerfile, 'utf8')) ?? [];
  return (JSON.parse(entry) as string[]).filter((word) => word.startsWith('--'));
}

interface Groups {
  readonly by: MemoryLimits['by'];
  /** The file that takes the number of a process; undefined without cgroups. */
  fileOf(service: LimitedService): string | undefined;
  useOf(service: LimitedService): Pick<MemoryUse, 'groupPeak' | 'killed'>;
  remove(): void;
}

/** The files of both versions of cgroups. */
const versions = {
  'cgroup v2': {
    root: '/sys/fs/cgroup',
    limit: 'memory.max',
    swap: ['memory.swap.max', () => 0],
    peak: 'memory.peak',
    events: 'memory.events',
  },
  'cgroup v1': {
    root: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    swap: ['memory.memsw.limit_in_bytes', (limit: number) => limit],
    peak: 'memory.max_usage_in_bytes',
    events: 'memory.oom_control',
  },
} as const;

function makeGroups(name: string): Groups {
  for (const by of ['cgroup v2', 'cgroup v1'] as const) {
    const { root, limit, swap, peak, events } = versions[by];
    const folderOf = (service: LimitedService) => join(root, `${name}-${service}`);
    const remove = () => {
      for (const service of limitedServices) tryTo(() => rmdirSync(folderOf(service)));
    };
    const isMade = limitedServices.every((service) =>
      tryTo(() => {
        mkdirSync(folderOf(service));
        const bytes = chartLimit(service);
        // The kernel makes this file: if it is missing, the folder is not a cgroup.
        writeFileSync(join(folderOf(service), limit), String(bytes), { flag: 'r+' });
        const [file, max] = swap;
        if (existsSync(join(folderOf(service), file))) writeFileSync(join(folderOf(service), file), String(max(bytes)));
      }),
    );
    if (!isMade) {
      remove();
      continue;
    }
    const read = (service: LimitedService, file: string) => readFileSync(join(folderOf(service), file), 'utf8');
    return {
      by,
      fileOf: (service) => join(folderOf(service), 'cgroup.procs'),
      useOf: (service) => ({
        groupPeak: Number(read(service, peak)),
        killed: Number(/^oom_kill (\d+)/m.exec(read(service, events))?.[1] ?? 0),
      }),
      remove,
    };
  }
  return { by: 'nothing', fileOf: () => undefined, useOf: () => ({}), remove: () => {} };
}

function tryTo(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** A field of proc(5), status, in bytes; 0 when the process has ended. */
function statusBytes(pid: number, field: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
