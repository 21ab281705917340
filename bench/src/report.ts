import { aims, growths, isMet, shareOfCeiling, totalMb } from './aims.ts';
import { type Figures, middleOf, totalCpuUs } from './contests.ts';
import { searchClients } from './full-contests.ts';
import type { Alone, Beside, Results } from './full-run.ts';
import { figure, paragraph, ratio, table } from './markdown.ts';
import type { MailResult } from './measure-mail.ts';
import type { MirrorsResult } from './measure-mirrors.ts';
import { durationText } from './progress.ts';
import { median } from './statistics.ts';

/** The results as a section of Markdown, figures together with commit, date, machine and size. */
export function reportOf(results: Results): string {
  const { settings, visibility } = results;
  const { connections } = settings;
  return [
    introduction(results),
    '### Aims',
    aimTable(results),
    '### Lookups',
    `${connections} connections, from an address with limits.`,
    besideTable(results.lookups, 'of bare Fastify'),
    besideTable(results.rdap, 'of the same lookups by REST'),
    '### Searches',
    `${searchClients} clients.`,
    besideTable(results.searches, 'of lookups'),
    ...openSearchTables(results),
    '### Port 43',
    `${searchClients} connections, and one for the large set.`,
    besideTable(results.whois, 'of the same by REST'),
    readTable(results.commands),
    '### Mixes',
    paragraph(
      `What clients of different kinds ask together: REST over HTTPS on ${connections} connections, port 43 on ` +
        `${searchClients}.`,
    ),
    readTable(results.mixes),
    '### Abuse contacts and geolocation',
    `${searchClients} clients.`,
    readTable(results.geo),
    '### Writes over HTTPS',
    writeTable([...results.writes, ...results.inserts]),
    paragraph(
      `Searches find a write after ${figure(visibility.p50Ms)} ms (p50), ${figure(visibility.p99Ms)} ms (p99); ` +
        `${visibility.writes} writes.`,
    ),
    '### Mail',
    mailTable(results.mail),
    '### Mirrors',
    mirrorsTables(results.mirrors),
    '### Load',
    loadTable(results),
    '### Growth',
    growthTables(results),
    '### Memory',
    memoryTable(results),
    '### Disk',
    diskTable(results),
  ].join('\n\n');
}

function introduction(results: Results): string {
  const {
    date,
    revision,
    machine,
    settings,
    limitsShared,
    load,
    lookups,
    rdap,
    searches,
    whois,
    commands,
    mixes,
    geo,
    writes,
  } = results;
  const { commit, dirty } = revision;
  const { processors, processor, memoryGb, node } = machine;
  const { objects, rounds, seconds } = settings;
  const figures = [...lookups, ...rdap, ...searches, ...whois, ...commands, ...mixes, ...geo, ...writes].flatMap(
    ({ sides, half }) => [...sides.system, ...half],
  );
  const foreign = figures.map(({ foreignPercent }) => foreignPercent);
  const failures = figures.reduce((sum, one) => sum + one.failures, 0);
  return paragraph(
    `Measured on ${date.slice(0, 10)} at commit ${commit}${dirty ? ' **with uncommitted changes**' : ''} with ` +
      `${whole(objects)} objects (${whole(load.bytes / 1e6)} MB of text) on ${processors} x ${processor}, ` +
      `${memoryGb} GB, Node.js ${node}. Medians of ${rounds} rounds of ${seconds} s; the run took ${durationText(results.seconds * 1000)}. ` +
      `Other programs used ` +
      `${figure(median(foreign))} % of the processors (median; at most ` +
      `${figure(Math.max(0, ...foreign))} %). Limits were counted ` +
      `${limitsShared ? 'through Redis' : 'without Redis'}. ` +
      `${failures === 0 ? 'No request failed.' : `${whole(failures)} REQUESTS FAILED.`}`,
  );
}

function aimTable(results: Results): string {
  const rows = aims.map((one) => {
    const measured = one.measured(results);
    const aim = `${one.better === 'more' ? 'at least' : 'below'} ${figure(one.aim)}`;
    const verdict = measured === undefined ? 'not measured' : isMet(one, measured) ? 'met' : '**missed**';
    return [one.figure, figure(measured), aim, verdict];
  });
  return table(['Figure', 'Measured', 'Aim', ''], rows);
}

const readHeading = ['/s', 'p50 ms', 'p99 ms', 'p99 at half load', 'µs of CPU: all', 'most of it'];

function besideTable(results: readonly Beside[], share: string): string {
  const rows = results.map((one) => {
    const [first = '', ...others] = readCells(one);
    return [one.name, first, ratio(shareOfCeiling(one)), ...others];
  });
  const [first = '', ...others] = readHeading;
  return table(['', first, share, ...others], rows);
}

function readTable(results: readonly Alone[]): string {
  return table(
    ['', ...readHeading],
    results.map((one) => [one.name, ...readCells(one)]),
  );
}

function readCells({ sides, half }: Alone | Beside): string[] {
  const figures = middleOf(sides.system);
  const { perSecond, p50Ms, p99Ms } = figures;
  const atHalf = half.length === 0 ? undefined : middleOf(half).p99Ms;
  return [
    figure(perSecond),
    figure(p50Ms),
    figure(p99Ms),
    figure(atHalf),
    figure(totalCpuUs(figures)),
    cpuText(figures),
  ];
}

/** The programs that take part in a write. */
const writingPrograms = ['gateway', 'auth', 'objects', 'search', 'PostgreSQL'];

function writeTable(results: readonly Alone[]): string {
  const rows = results.map(({ name, sides }) => {
    const figures = middleOf(sides.system);
    const { perSecond, p50Ms, p99Ms, cpuUs } = figures;
    const cpuMs = [totalCpuUs(figures), ...writingPrograms.map((program) => cpuUs[program] ?? 0)].map(
      (us) => us / 1000,
    );
    return [name, ...[perSecond, p50Ms, p99Ms, ...cpuMs].map(figure)];
  });
  return table(['', '/s', 'p50 ms', 'p99 ms', 'ms of CPU: all', ...writingPrograms], rows);
}

function mailTable({ name, sides }: MailResult): string {
  const rows = (['on', 'off'] as const).map((side) => {
    const figures = middleOf(sides[side]);
    const { perSecond, p50Ms, p99Ms, cpuUs } = figures;
    const cpuMs = [totalCpuUs(figures), cpuUs.objects ?? 0, cpuUs.PostgreSQL ?? 0, cpuUs.events ?? 0];
    return [`mail ${side}`, ...[perSecond, p50Ms, p99Ms, ...cpuMs.map((us) => us / 1000)].map(figure)];
  });
  return [
    paragraph(`${name}, at a constant rate; each person has an address of its own. A mail server takes every mail.`),
    table(['', '/s', 'p50 ms', 'p99 ms', 'ms of CPU: all', 'objects', 'PostgreSQL', 'events'], rows),
  ].join('\n\n');
}

function mirrorsTables(mirrors: MirrorsResult): string {
  const { objects, publishSeconds, publishMb, importSeconds, importMb, deltaSeconds, copySeconds } = mirrors;
  return [
    paragraph(
      `NRTM version 4, ${whole(objects)} objects that others may have; the second registry follows over HTTPS.`,
    ),
    table(
      ['', 'seconds', 'most memory of the mirror service, MB'],
      [
        ['first snapshot and notification', figure(publishSeconds), figure(publishMb)],
        ['import into an empty copy', figure(importSeconds), figure(importMb)],
        ['from a write to its published delta', figure(deltaSeconds), ''],
        ['from a write to the copy', figure(copySeconds), ''],
      ],
    ),
    besideTable([mirrors.notifications], 'of bare Fastify'),
  ].join('\n\n');
}

const shownPrograms = 3;

/** The programs with the most CPU time per request, in microseconds. */
function cpuText({ cpuUs }: Pick<Figures, 'cpuUs'>): string {
  return Object.entries(cpuUs)
    .sort(([, a], [, b]) => b - a)
    .slice(0, shownPrograms)
    .map(([program, us]) => `${program} ${figure(us)}`)
    .join(', ');
}

function loadTable({ load, copy, restartSeconds }: Results): string {
  const row = (name: string, count: number, seconds: number, share = '') => [
    name,
    figure(seconds),
    figure(count / seconds),
    share,
  ];
  const share = (ceiling: number) => ratio(load.objects / load.seconds / (copy.rows / ceiling));
  return [
    table(
      ['', 'seconds', 'objects/s', 'load, of it'],
      [
        row('bulk load, without the index for searches', load.objects, load.seconds),
        row('`COPY` of the rows, same indexes', copy.rows, copy.indexedSeconds, share(copy.indexedSeconds)),
        row('`COPY` of the rows, no index', copy.rows, copy.bareSeconds, share(copy.bareSeconds)),
        row('index for searches, afterwards', load.objects, load.indexSeconds),
        row('loaded and searchable', load.objects, load.seconds + load.indexSeconds),
      ],
    ),
    paragraph(
      `The load takes ${cpuText(load)} µs of CPU per object. A start with all data takes ${figure(restartSeconds)} s ` +
        'until the system is ready.',
    ),
  ].join('\n\n');
}

function growthTables(results: Results): string {
  const { objects, smallObjects } = results.settings;
  const grown = growths(results);
  if (grown.length === 0) return `Not measured: the registry has at most ${whole(smallObjects)} objects.`;
  return [
    'p50 in milliseconds, one client.',
    table(
      ['', `${whole(smallObjects)} objects`, `${whole(objects)} objects`, 'growth'],
      grown.map(({ name, small, full, growth }) => [name, figure(small), figure(full), ratio(growth)]),
    ),
  ].join('\n\n');
}

function memoryTable({ memoryAfterLoad, memoryAtEnd }: Results): string {
  const atEnd = new Map(memoryAtEnd.map((memory) => [memory.group, memory.pssMb]));
  return [
    'Proportional set size in MB: pages that processes share count once.',
    table(
      ['', 'processes', 'after the load', 'at the end'],
      [
        ...memoryAfterLoad.map(({ group, processes, pssMb }) => [
          group,
          String(processes),
          figure(pssMb),
          figure(atEnd.get(group)),
        ]),
        ['all', '', figure(totalMb(memoryAfterLoad)), figure(totalMb(memoryAtEnd))],
      ],
    ),
  ].join('\n\n');
}

const smallestShown = 0.5;

function diskTable({ disk, load }: Results): string {
  const each = (bytes: number) => bytes / load.objects;
  const sum = (kind: string) => disk.reduce((total, one) => total + (one.kind === kind ? one.bytes : 0), 0);
  const shown = disk.filter(({ bytes }) => each(bytes) >= smallestShown);
  return [
    paragraph(`Bytes per object after the load; its text has ${figure(each(load.bytes))}.`),
    table(
      ['', 'table', 'index'],
      [
        ...shown.map(({ name, kind, bytes }) => [
          `\`${name}\``,
          kind === 'table' ? figure(each(bytes)) : '',
          kind === 'index' ? figure(each(bytes)) : '',
        ]),
        ['all', figure(each(sum('table'))), figure(each(sum('index')))],
      ],
    ),
  ].join('\n\n');
}

function openSearchTables({ openSearch, settings }: Results): string[] {
  if (!openSearch) return [];
  const perSecond = settings.objects / openSearch.indexSeconds;
  return [
    paragraph(`With the index in OpenSearch, which takes in ${figure(perSecond)} objects/s:`),
    readTable(openSearch.searches),
  ];
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-GB');
}
