import { wrapWords } from '@cadastre/rpsl';
import { paragraph, table } from '../../../../bench/src/markdown.js';
import type { Checked } from './check.js';
import type { RunRecord } from './record.js';
import type { MemorySample, Samples } from './samples.js';

/** What the page says besides the record. */
export interface PageInput {
  readonly record: RunRecord;
  readonly samples: Samples;
  readonly machine: string;
  readonly commit: string;
  readonly command: string;
  readonly writes: number;
  /** Seconds of CPU that all processes of both registries used per second. */
  readonly cpu: number;
  /** Median of the load average of the machine. */
  readonly loadAverage: number;
  /** Number of lines of the logs by level and message: errors and what is worse. */
  readonly logged: ReadonlyMap<string, number>;
  /** The checks at the end; undefined while the run continues. */
  readonly checked: readonly Checked[] | undefined;
}

const halfHourMs = 30 * 60_000;
/** A process has loaded its code and filled its caches after so long. */
const warmUpMs = 20 * 60_000;
/** A memory counts as flat below this growth per hour, in percent of its mean. */
const flatPercent = 10;

/** A memory at one time. */
type Size = Pick<MemorySample, 'at' | 'megabytes'>;

/** The whole page, in Markdown. */
export function pageOf(input: PageInput): string {
  const { record, checked } = input;
  const minutes = Math.round((Date.now() - record.started) / 60_000);
  const isoMinute = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  const state = checked === undefined ? ` The run has not ended yet: these are its first ${minutes} minutes.` : '';
  return `${[
    '# Endurance',
    paragraph(
      'A registry with two processes of each service, a primary of PostgreSQL with a synchronous standby, Redis, a mail ' +
        'server and a webhook, and a second registry that follows it by NRTM version 4, under a constant mixed load, ' +
        'while faults are injected one after the other.',
    ),
    paragraph(
      `\`${input.command}\` has written this page. ${isoMinute(record.started)} to ${isoMinute(Date.now())} UTC, ` +
        `${minutes} minutes, commit ${input.commit}, ${input.machine}. All processes of both ` +
        `registries together used ${input.cpu.toFixed(2)} s of CPU per second; the load average of the machine was ` +
        `${input.loadAverage.toFixed(0)} (median).${state}`,
    ),
    '## Nothing lost',
    storedSection(input),
    '## Requests',
    paragraph(
      'A request has failed if it had no answer or another one than a success with the expected content. Writers repeat ' +
        'a failed write until it is answered. Unexplained: failed neither during a fault nor within 15 seconds after its repair.',
    ),
    requestsTable(record),
    unexplainedParagraph(record),
    '## Faults',
    paragraph(
      'Of two processes of a service always the second one is killed, for five seconds. The gaps are the longest times ' +
        'without an answer to a write and to a read over REST, in seconds; the clients wait up to 0.5 s between two.',
    ),
    faultsTable(record),
    '## Memory',
    paragraph(
      'Proportional set size in MB (10^6 bytes), average of each half hour, of the process that lived longest, with its ' +
        `children. Growth: least squares after the first ${warmUpMs / 60_000} minutes of the process, per hour. Less than ` +
        `${flatPercent} percent of the mean counts as flat. Kept: what the main thread has in its heap and in buffers after ` +
        'a collection, which each look at it causes.',
    ),
    memoryTable(input.samples.memory, record.started),
    '## The follower',
    lagParagraph(input.samples),
    '## Noticed',
    noticed(input),
  ].join('\n\n')}\n`;
}

function storedSection({ checked, writes }: PageInput): string {
  if (checked === undefined)
    return paragraph(`${writes} writes are acknowledged so far; the end of the run compares them.`);
  const wrong = checked.flatMap((one) => one.wrong);
  const rows = checked.map((one) => [one.what, count(one.compared), count(one.wrong.length)]);
  return [
    paragraph(
      `${count(writes)} writes were acknowledged. ${wrong.length === 0 ? 'Nothing is lost.' : 'NOT ALL IS THERE.'}`,
    ),
    table(['Compared at the end', 'Number', 'Wrong'], rows),
    ...(wrong.length > 0 ? [list(wrong.slice(0, 50))] : []),
  ].join('\n\n');
}

function requestsTable({ counts }: RunRecord): string {
  const rows = [...counts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([kind, one]) => [
      kind,
      count(one.requests),
      count(one.failed),
      count(one.unexplained),
      String(Math.round(one.sumMs / one.requests)),
      count(one.maxMs),
    ]);
  return table(['Requests', 'Number', 'Failed', 'Unexplained', 'Mean ms', 'Longest ms'], rows);
}

function unexplainedParagraph({ unexplained }: RunRecord): string {
  if (unexplained.size === 0) return paragraph('No failure is unexplained.');
  const loads = [...unexplained.values()].flat().sort((a, b) => a - b);
  const reasons = [...unexplained].map(([reason, all]) => `${all.length} ${reason}`).join(', ');
  return paragraph(
    `The unexplained failures, by reason: ${reasons}. The load average of the machine was then ${loads[0]!.toFixed(0)} ` +
      `to ${loads.at(-1)!.toFixed(0)}, median ${loads[Math.floor(loads.length / 2)]!.toFixed(0)}.`,
  );
}

function faultsTable({ faults }: RunRecord): string {
  const byName = Map.groupBy(faults, ({ name }) => name);
  const rows = [...byName].map(([name, all]) => {
    const failed = new Map<string, number>();
    for (const one of all) for (const [kind, n] of one.failed) failed.set(kind, (failed.get(kind) ?? 0) + n);
    const longest = (of: 'writeGapMs' | 'readGapMs') => (Math.max(...all.map((one) => one[of])) / 1000).toFixed(1);
    const ended = all.flatMap(({ begun, ended }) => (ended === undefined ? [] : [(ended - begun) / 1000]));
    const texts = [...failed].map(([kind, n]) => `${n} ${kind}`);
    return [
      name,
      String(all.length),
      ended.length === 0 ? '-' : String(Math.round(Math.max(...ended))),
      longest('writeGapMs'),
      longest('readGapMs'),
      texts.join(', ') || 'none',
      String(all.filter(({ error }) => error !== undefined).length),
    ];
  });
  const headings = ['Fault', 'Times', 'Until repaired s', 'Write gap', 'Read gap', 'Failed', 'Went wrong'];
  return table(headings, rows);
}

function memoryTable(memory: readonly MemorySample[], started: number): string {
  const halves = Math.max(1, Math.ceil(((memory.at(-1)?.at ?? started) - started) / halfHourMs));
  const rows = [...Map.groupBy(memory, ({ name }) => name)].flatMap(([name, all]) => {
    const lives = [...Map.groupBy(all, ({ pid }) => pid).values()].sort((a, b) => b.length - a.length);
    const life = lives[0]!;
    // The second replicas live only until they are killed.
    if (name.endsWith(' 1')) return [];
    const inHalfHours = Array.from({ length: halves }, (_, n) => {
      const from = started + n * halfHourMs;
      return life.filter(({ at }) => at >= from && at < from + halfHourMs);
    });
    const averages = inHalfHours.map((inside) => megabytesOf(inside));
    const warm = life.filter(({ at }) => at >= life[0]!.at + warmUpMs);
    const collected = warm.flatMap(({ at, collectedMegabytes }) =>
      collectedMegabytes ? [{ at, megabytes: collectedMegabytes }] : [],
    );
    const minutes = Math.round((life.at(-1)!.at - life[0]!.at) / 60_000);
    return [[name, String(minutes), ...averages, ...growthOf(warm), megabytesOf(collected), ...growthOf(collected)]];
  });
  const numbered = Array.from({ length: halves }, (_, n) => `Half hour ${n + 1}`);
  const growth = ['MB per hour', 'Of the mean'];
  const headings = ['Process', 'Lived min', ...numbered, ...growth, 'Memory', 'Kept', ...growth, 'Heap'];
  return table(headings, rows);
}

function megabytesOf(samples: readonly { readonly megabytes: number }[]): string {
  return samples.length === 0 ? '-' : mean(samples.map(({ megabytes }) => megabytes)).toFixed(0);
}

/** The growth per hour, its share of the mean, and what that means. */
function growthOf(samples: readonly Size[]): string[] {
  if (samples.length < 10) return ['-', '-', '-'];
  const growth = slopePerHour(samples);
  const share = (100 * growth) / mean(samples.map(({ megabytes }) => megabytes));
  return [growth.toFixed(1), `${share.toFixed(1)} %`, share < flatPercent ? 'flat' : 'GROWS'];
}

function lagParagraph({ lag }: Samples): string {
  const sorted = lag.map(({ milliseconds }) => milliseconds / 1000).sort((a, b) => a - b);
  if (sorted.length === 0) return paragraph('It was not looked at yet.');
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!);
  return paragraph(
    'How long ago the first write was acknowledged that the follower does not have, looked at every minute: ' +
      `median ${at(0.5)} s, 90th percentile ${at(0.9)} s, longest ${at(1)} s. Publisher and follower look for changes ` +
      'once a minute each, so up to two minutes are usual.',
  );
}

function noticed({ record, logged }: PageInput): string {
  const errors = [...logged]
    .sort(([, a], [, b]) => b - a)
    .map(([text, number]) => `${number} times in the logs: ${text}`);
  const all = [...record.notes, ...errors];
  return all.length === 0 ? paragraph('Nothing else.') : list(all.slice(0, 100));
}

/** Change in MB per hour, by least squares. */
function slopePerHour(samples: readonly Size[]): number {
  const hours = samples.map(({ at }) => at / 3_600_000);
  const [x, y] = [mean(hours), mean(samples.map(({ megabytes }) => megabytes))];
  const products = samples.map(({ megabytes }, n) => (hours[n]! - x) * (megabytes - y));
  const squares = hours.map((hour) => (hour - x) ** 2);
  return mean(products) / mean(squares);
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const count = (number: number) => number.toLocaleString('en-GB');

const list = (items: readonly string[]) =>
  items.map((item) => `- ${wrapWords(item.replaceAll(/[`<>|]/g, "'").split(/\s+/), 118).join('\n  ')}`).join('\n');
