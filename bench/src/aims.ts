import { middleOf, totalCpuUs } from './contests.ts';
import { writeName } from './full-contests.ts';
import type { Alone, Beside, Results } from './full-run.ts';
import type { MailResult } from './measure-mail.ts';
import type { Memory } from './processes.ts';
import { median } from './statistics.ts';

/** A figure that has an aim. */
export interface Aim {
  readonly figure: string;
  readonly aim: number;
  /** Whether the figure must be at least the aim, or less. */
  readonly better: 'more' | 'less';
  /** Undefined where it was not measured. */
  measured(results: Results): number | undefined;
}

const gibibyte = 1.073741824;

/** Lookups and searches per second: three times the rate of the RIPE whois server with 40,000 objects. */
const ratesOfSearches: Readonly<Record<string, number>> = {
  exact: 7000,
  'one-less': 7500,
  'all enclosing': 3400,
  'one-more': 8000,
  'all more': 1900,
  'default flags': 3000,
  'inverse mnt-by': 3700,
  'inverse admin-c': 2300,
  'inverse origin': 4500,
  name: 5600,
};
const ratesOfGeo: Readonly<Record<string, number>> = { 'abuse contact': 5800, geolocation: 5800 };

/** Searches by the size of their result: small, or up to 100 objects. */
const small = { names: ['exact', 'nearest enclosing', 'all enclosing'], p99Ms: 15 };
const large = {
  names: ['one-more', 'all more', 'inverse mnt-by', 'inverse admin-c', 'inverse origin', 'name'],
  p99Ms: 40,
};

const otherTypes = ['inetnum', 'route', 'domain'];

export const aims: readonly Aim[] = [
  ...['HTTP', 'HTTPS'].flatMap((transport) => [
    more(`hot lookups over ${transport}, of bare Fastify`, 0.85, (r) => ofCeiling(r.lookups, `hot, ${transport} JSON`)),
    more(`uniform lookups over ${transport}, of bare Fastify`, 0.3, (r) =>
      ofCeiling(r.lookups, `uniform, ${transport} JSON`),
    ),
  ]),
  more('uniform lookups per second', 10_500, (r) => perSecond(r.lookups, 'uniform, HTTP JSON')),
  more('lookups of missing objects per second', 20_000, (r) => perSecond(r.lookups, 'missing (404), HTTP JSON')),
  ...['hot', 'uniform'].map((name) =>
    more(`${name} networks by RDAP, of the same by REST`, 0.6, (r) => ofCeiling(r.rdap, `RDAP ip, ${name}`)),
  ),
  less('uniform networks by RDAP, p99 at half load, ms', 25, (r) => find(r.rdap, 'RDAP ip, uniform')?.half.p99Ms),
  ...[small, large].flatMap(({ names, p99Ms }) =>
    names.map((name) => less(`${name}, p99 at half load, ms`, p99Ms, (r) => find(r.searches, name)?.half.p99Ms)),
  ),
  ...Object.entries(ratesOfSearches).map(([name, rate]) =>
    more(`${name} per second`, rate, (r) => perSecond(r.searches, name)),
  ),
  more('networks by port 43, of the same by REST', 0.5, (r) => ofCeiling(r.whois, '`-r -x` of a network')),
  ...Object.entries(ratesOfGeo).map(([name, rate]) => more(`${name} per second`, rate, (r) => perSecond(r.geo, name))),
  ...[
    { what: 'create', rate: 700 },
    { what: 'update', rate: 900 },
  ].flatMap(({ what, rate }) => [
    more(`${what} of persons per second, 16 clients`, rate, (r) =>
      perSecond(r.writes, writeName(`${what} person`, 16)),
    ),
    less(`${what} of persons, ms of CPU, 16 clients`, 2.5, (r) => cpuMs(r.writes, writeName(`${what} person`, 16))),
    more(`${what} of the slowest other type, of persons`, 1, (r) => slowestOfPersons(r.writes, what)),
  ]),
  less('p99 of writes with mail, of those without', 1.05, ({ mail }) => p99OfMail(mail)),
  ...[
    { figure: 'first publication for mirrors, s', aim: 60, measured: 'publishSeconds' as const },
    { figure: 'memory of the publishing mirror service, MB', aim: 300, measured: 'publishMb' as const },
    { figure: 'import by a mirror, s', aim: 60, measured: 'importSeconds' as const },
  ].map(({ figure, aim, measured }) =>
    less(`${figure} (aim for 1 million objects)`, aim, ({ mirrors }) => mirrors[measured]),
  ),
  less('from a write to its published delta, s', 65, ({ mirrors }) => mirrors.deltaSeconds),
  more('notifications for mirrors per second', 10_000, ({ mirrors }) =>
    perSecond([mirrors.notifications], mirrors.notifications.name),
  ),
  more(
    'bulk load, of COPY into the indexed table',
    0.8,
    ({ load, copy }) => load.objects / load.seconds / (copy.rows / copy.indexedSeconds),
  ),
  more(
    'objects per second, loaded and searchable',
    10_000_000 / 600,
    ({ load }) => load.objects / (load.seconds + load.indexSeconds),
  ),
  less(
    'memory of all processes, GB (aim for 10 million objects)',
    4 * gibibyte,
    (r) => Math.max(totalMb(r.memoryAfterLoad), totalMb(r.memoryAtEnd)) / 1000,
  ),
  less('largest growth of a p50 from the smaller registry', 1.5, largestGrowth),
  less(
    'bytes on disk per object',
    1300,
    ({ disk, load }) => disk.reduce((sum, { bytes }) => sum + bytes, 0) / load.objects,
  ),
  less('seconds from the start until ready (aim for 10 million objects)', 10, (r) => r.restartSeconds),
];

function more(figure: string, aim: number, measured: Aim['measured']): Aim {
  return { figure, aim, better: 'more', measured };
}

function less(figure: string, aim: number, measured: Aim['measured']): Aim {
  return { figure, aim, better: 'less', measured };
}

export function isMet({ aim, better }: Aim, measured: number): boolean {
  return better === 'more' ? measured >= aim : measured < aim;
}

/** The medians of a result. */
function find(results: readonly (Alone | Beside)[], name: string) {
  const found = results.find((one) => one.name === name);
  return found && { system: middleOf(found.sides.system), half: middleOf(found.half), sides: found.sides };
}

function perSecond(results: readonly (Alone | Beside)[], name: string): number | undefined {
  return find(results, name)?.system.perSecond;
}

function cpuMs(results: readonly Alone[], name: string): number | undefined {
  const found = find(results, name);
  return found && totalCpuUs(found.system) / 1000;
}

function ofCeiling(results: readonly Beside[], name: string): number | undefined {
  const found = results.find((one) => one.name === name);
  return found && shareOfCeiling(found);
}

/** The rate of the system as a share of its ceiling's. */
export function shareOfCeiling({ sides }: Beside): number {
  return middleOf(sides.system).perSecond / middleOf(sides.ceiling).perSecond;
}

/** The median over the rounds, in each of which both sides had their turn. */
function p99OfMail({ sides: { on, off } }: MailResult): number {
  return median(on.map(({ p99Ms }, round) => p99Ms / off[round]!.p99Ms));
}

function slowestOfPersons(writes: readonly Alone[], what: string): number | undefined {
  const rateOf = (type: string) => perSecond(writes, writeName(`${what} ${type}`, 16)) ?? Number.NaN;
  const share = Math.min(...otherTypes.map(rateOf)) / rateOf('person');
  return Number.isNaN(share) ? undefined : share;
}

export function totalMb(memory: readonly Memory[]): number {
  return memory.reduce((sum, { pssMb }) => sum + pssMb, 0);
}

/** The growth of the p50 of each read of one client. */
export function growths({ oneClient, oneClientSmall = [] }: Results) {
  return oneClient.flatMap(({ name, sides }) => {
    const small = find(oneClientSmall, name)?.system.p50Ms;
    const full = middleOf(sides.system).p50Ms;
    return small === undefined ? [] : [{ name, small, full, growth: full / small }];
  });
}

function largestGrowth(results: Results): number | undefined {
  const all = growths(results).map(({ growth }) => growth);
  return all.length === 0 ? undefined : Math.max(...all);
}
