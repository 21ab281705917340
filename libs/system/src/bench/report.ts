import type { BenchSettings } from './bench-settings.js';
import type { Machine } from './machine.js';
import type { Queries } from './measure-all-queries.js';
import type { CopyResult } from './measure-copy.js';
import type { LoadResult } from './measure-load.js';
import type { LookupResult } from './measure-lookups.js';
import type { OpenSearchResult } from './measure-opensearch.js';
import type { WriteResult } from './measure-writes.js';
import type { Memory } from './processes.js';

/** All results of one run of the benchmark. */
export interface Results {
  /** ISO 8601, UTC. */
  readonly date: string;
  readonly machine: Machine;
  readonly settings: BenchSettings;
  readonly load: LoadResult;
  readonly copy: CopyResult;
  readonly lookups: readonly LookupResult[];
  /** Whether the limits were counted through Redis. */
  readonly limitsShared: boolean;
  readonly writes: readonly WriteResult[];
  readonly queries: Queries;
  /** Only on request. */
  readonly openSearch?: OpenSearchResult;
  readonly memoryAfterLoad: readonly Memory[];
  readonly memoryAtEnd: readonly Memory[];
}

type Cell = string | number;

/** The results as text. */
export function reportOf(results: Results): string {
  const { machine, settings, load } = results;
  return [
    `${machine.processors} x ${machine.processor}, ${machine.memoryGb} GB, Linux ${machine.kernel}, Node.js ` +
      `${machine.node}, commit ${machine.commit}`,
    '',
    `Bulk load of ${settings.objects} objects (${(load.bytes / 1e6).toFixed(0)} MB), objects/s`,
    loadTable(results),
    `CPU us per object: ${cpuText(load.cpuUs)}; foreign ${load.foreignPercent.toFixed(0)} %`,
    `The search index, held during the load, then took in ${whole(load.indexedPerSecond)} objects/s`,
    '',
    `Lookups, ${settings.connections} keep-alive connections, median of ${settings.rounds} rounds of ${settings.seconds} s`,
    lookupTable(results.lookups),
    limitsText(results),
    'Closed loop, generator on the same processors: p99 is latency at saturation. "foreign": CPU of other programs.',
    '',
    `Writes over HTTPS, ${settings.seconds} s each`,
    writeTable(results.writes),
    '',
    'Memory in MB (proportional set size: shared pages count once)',
    memoryTable(results),
    '',
  ].join('\n');
}

function loadTable({ load, copy }: Results): string {
  const ratio = (ceiling: number) => (load.objectsPerSecond / ceiling).toFixed(2);
  return table([
    ['', 'objects/s', 'the load is'],
    ['load through the objects service', whole(load.objectsPerSecond), ''],
    ['ceiling: COPY, same table and indexes', whole(copy.indexedPerSecond), `${ratio(copy.indexedPerSecond)} of it`],
    ['ceiling: COPY, table without indexes', whole(copy.barePerSecond), `${ratio(copy.barePerSecond)} of it`],
  ]);
}

function lookupTable(lookups: readonly LookupResult[]): string {
  return table([
    ['', 'requests/s', 'of bare', 'p50 ms', 'p99 ms', 'foreign', 'errors', 'CPU us per request'],
    ...lookups.map((one) => [
      `${one.transport} ${one.format}, ${one.keys === 'bare' ? 'ceiling: bare Fastify' : `${one.keys} keys${one.limited ? ', limits on' : ''}`}`,
      whole(one.perSecond),
      one.keys === 'bare' ? '' : one.ofBare.toFixed(2),
      one.p50Ms.toFixed(2),
      one.p99Ms.toFixed(2),
      `${one.foreignPercent.toFixed(0)} %`,
      one.failures,
      cpuText(one.cpuUs),
    ]),
  ]);
}

/** The cost of the limits: the speed with all limits on, as a share of the speed from an exempt address. */
function limitsText({ lookups, limitsShared }: Results): string {
  const speed = (keys: 'hot' | 'uniform', limited: boolean) =>
    lookups.find(
      (one) => one.keys === keys && one.limited === limited && one.transport === 'HTTP' && one.format === 'json',
    )?.perSecond ?? Number.NaN;
  const share = (keys: 'hot' | 'uniform') => `${(speed(keys, true) / speed(keys, false)).toFixed(2)} with ${keys} keys`;
  const how = limitsShared ? 'shared through Redis' : 'in memory, for want of redis-server';
  return `All query limits on (${how}), speed relative to none: ${share('hot')}, ${share('uniform')}`;
}

function writeTable(writes: readonly WriteResult[]): string {
  return table([
    ['', 'clients', 'writes/s', 'p50 ms', 'p99 ms', 'foreign', 'CPU us per write'],
    ...writes.map(({ kind, clients, perSecond, p50Ms, p99Ms, foreignPercent, cpuUs }) => [
      kind === 'bare insert' ? 'ceiling: insert of a row, same table and indexes' : kind,
      clients,
      whole(perSecond),
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
      `${foreignPercent.toFixed(0)} %`,
      cpuText(cpuUs),
    ]),
  ]);
}

function memoryTable({ memoryAfterLoad, memoryAtEnd }: Results): string {
  const sum = (all: readonly Memory[]) => all.reduce((total, { pssMb }) => total + pssMb, 0);
  const atEnd = new Map(memoryAtEnd.map((memory) => [memory.group, memory]));
  return table([
    ['', 'processes', 'after the load', 'at the end'],
    ...memoryAfterLoad.map(({ group, processes, pssMb }) => [
      group,
      processes,
      whole(pssMb),
      whole(atEnd.get(group)?.pssMb ?? 0),
    ]),
    ['all', '', whole(sum(memoryAfterLoad)), whole(sum(memoryAtEnd))],
  ]);
}

export function cpuText(cpuUs: Record<string, number>): string {
  return Object.entries(cpuUs)
    .filter(([, us]) => us >= 0.5)
    .sort(([, a], [, b]) => b - a)
    .map(([group, us]) => `${group} ${us.toFixed(us < 10 ? 1 : 0)}`)
    .join(', ');
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-GB');
}

/** Formats a table: left-aligns texts of the first and last column, right-aligns the others. */
export function table(rows: readonly (readonly Cell[])[]): string {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, n) => Math.max(...rows.map((row) => String(row[n]).length)));
  const cell = (value: Cell, n: number) => {
    const isText = n === 0 || (n === columns - 1 && columns > 5);
    return isText ? String(value).padEnd(widths[n]!) : String(value).padStart(widths[n]!);
  };
  return rows.map((row) => `  ${row.map(cell).join('  ').trimEnd()}`).join('\n');
}
