import { DeletionRefusal, type DeletionRefused, type LoadSummary } from '@cadastre/proto/objects';
import type { Command } from 'commander';
import type { Run } from '../action.js';
import { retryOption } from '../despite-breaks.js';
import { CommandFailure } from '../failure.js';
import { unlessInterrupted } from '../interrupts.js';
import { type ExitCode, exitCode, type Interrupt, type Io, note, say } from '../io.js';
import { type Input, openInput } from '../load/input.js';
import { type Loaded, type LoadReports, type LoadTarget, load } from '../load/load.js';
import { createProgressReport, type ProgressReport } from '../load/progress.js';
import { linesOf, type RejectCounts } from '../load/reject-reasons.js';
import { createRejectReport, type RejectReport, standardOutput } from '../load/rejects.js';
import { waitUntilVisible } from '../load/visible.js';
import { printableLine } from '../printable.js';
import { shownTime } from './instant.js';
import { asReport, printJson, type ReportOptions } from './results.js';

interface LoadOptions extends ReportOptions {
  source: string;
  replace?: true;
  allOrNothing?: true;
  allowDeletes?: string;
  wait?: true;
  utf8?: true;
  dryRun?: true;
  rejects?: string;
  retry: number;
}

const replaceHelp = `
Without --allow-deletes, --replace deletes nothing and ends with exit code 2 when the text has no object, when objects
were rejected, or when more than a tenth of the source's objects would be deleted: an empty or damaged dump does not
empty a mirror. The objects of the text are loaded nevertheless, but not with --all-or-nothing, which takes rejected
objects for missing ones. --dry-run shows what would be deleted.
`;

const breaksHelp = `
A load resumes after a break of the connection, the service or its database. Standard input can be read only once: if a
first load of a large dump breaks, which is stored at its end, load it again, or from a file.
`;

/** Adds `cadastre load`. */
export function addLoadCommand(program: Command, io: Io, run: Run): void {
  asReport(program.command('load'))
    .description('Load RPSL text into a source. Exit code: 0 all loaded, 1 some objects rejected, 2 failed.')
    .addHelpText('after', `${replaceHelp}${breaksHelp}`)
    .argument('<files...>', 'dump files, plain or gzip; - is standard input')
    .requiredOption('--source <name>', 'source to load into')
    .option('--replace', 'delete objects of the source that are not in the text, at the end')
    .option('--all-or-nothing', 'with --replace, for copies of other registries: in one step at any size')
    .option('--allow-deletes <number>', 'with --replace: delete up to so many objects, or "all", without a question')
    .option('--wait', 'return when lookups and searches see the loaded objects')
    .option('--utf8', 'the text is UTF-8 (default: ISO 8859-1, as in the dumps of registries)')
    .option('--dry-run', 'parse and check only, store nothing')
    .option('--rejects <file>', 'write rejected objects and reasons to a file; - is standard output')
    .addOption(retryOption())
    .action(run((files: string[], options: LoadOptions) => loadFiles(io, files, options)));
}

async function loadFiles(io: Io, files: string[], options: LoadOptions): Promise<ExitCode> {
  if (options.allOrNothing && !options.replace) throw new CommandFailure('--all-or-nothing needs --replace');
  if (options.json && options.rejects === standardOutput) throw new CommandFailure('--json needs a file for --rejects');
  const target: LoadTarget = {
    source: options.source,
    replace: options.replace ?? false,
    allOrNothing: options.allOrNothing ?? false,
    allowedDeletes: allowedDeletes(options),
    utf8: options.utf8 ?? false,
    dryRun: options.dryRun ?? false,
    retryMs: options.retry,
  };
  const input = await openInput(files, io.stdin);
  const progress = createProgressReport(io, input);
  const rejects = await createRejectReport(io, input, progress, options.rejects);
  const started = performance.now();
  const loaded = await loadUnlessInterrupted(io, target, input, progress, rejects);
  if ('interrupt' in loaded) {
    note(io, describeInterruption(loaded.stored, target));
    return exitCode[loaded.interrupt];
  }
  const { summary, refused } = loaded;
  const seconds = (performance.now() - started) / 1000;
  if (options.json) printJson(io, recordOf(summary, seconds, target, rejects.byReason()));
  else for (const line of describeLoad(summary, seconds, target, rejects.byReason())) say(io, line);
  if (options.wait && !target.dryRun) await waitUntilVisible(io, target.source, summary.serial);
  if (refused !== undefined) throw new CommandFailure(describeRefusal(refused, target));
  return summary.rejected > 0n ? exitCode.partly : exitCode.done;
}

/** The end of a load, or what interrupted it and how many objects are stored by then. */
async function loadUnlessInterrupted(
  io: Io,
  target: LoadTarget,
  input: Input,
  progress: ProgressReport,
  rejects: RejectReport,
): Promise<Loaded | { interrupt: Interrupt; stored: bigint }> {
  let stored = 0n;
  const reports: LoadReports = {
    begun: ({ replacingSince }) => {
      if (replacingSince !== undefined) reportUnfinished(io, target, replacingSince, progress);
    },
    progress: (news) => {
      stored = news.storedAtEnd ? 0n : news.objects;
      progress.show(news);
    },
    rejected: rejects.add,
    broken: progress.pause,
  };
  try {
    const loaded = await unlessInterrupted(io, async (signal) => {
      signal.addEventListener('abort', progress.end);
      progress.begin();
      const complete = await load(io, target, input, reports, signal);
      progress.complete();
      return complete;
    });
    return typeof loaded === 'string' ? { interrupt: loaded, stored } : loaded;
  } finally {
    progress.end();
    await rejects.end();
  }
}

function reportUnfinished(io: Io, { source, replace }: LoadTarget, since: Date, progress: ProgressReport): void {
  progress.pause();
  const end = replace ? 'this load ends it' : 'load with --replace to end it';
  note(io, `the load with --replace of ${source.toUpperCase()} since ${shownTime(since)} is not finished: ${end}`);
}

function describeInterruption(stored: bigint, { dryRun }: LoadTarget): string {
  return dryRun
    ? 'interrupted; the dry run stored nothing'
    : `interrupted; ${stored} objects are stored, load again to continue`;
}

/** As many objects as there can be. */
const all = 2n ** 64n - 1n;

function allowedDeletes({ replace, allowDeletes }: LoadOptions): bigint | undefined {
  if (allowDeletes === undefined) return undefined;
  if (!replace) throw new CommandFailure('--allow-deletes needs --replace');
  if (allowDeletes === 'all') return all;
  if (!/^\d{1,18}$/.test(allowDeletes)) {
    throw new CommandFailure(`--allow-deletes: "${allowDeletes}" is neither a number of objects nor "all"`);
  }
  return BigInt(allowDeletes);
}

function describeRefusal({ reason, deletes, sourceObjects, loaded }: DeletionRefused, target: LoadTarget): string {
  const why: Partial<Record<DeletionRefusal, string>> = {
    [DeletionRefusal.DELETION_REFUSAL_NO_OBJECT]: 'The text has no object',
    [DeletionRefusal.DELETION_REFUSAL_REJECTED_OBJECTS]: `${loaded?.rejected} objects of the text were rejected`,
  };
  return (
    `${why[reason] ?? 'The text lacks too many objects'}: ${deletes} of the ${sourceObjects} objects of ` +
    `${target.source.toUpperCase()} are not in the text and would be deleted. Nothing was ${target.allOrNothing ? 'stored' : 'deleted'}. ` +
    `Check the dump; --allow-deletes ${deletes} deletes them.`
  );
}

function recordOf(summary: LoadSummary, seconds: number, target: LoadTarget, { reasons, others }: RejectCounts) {
  const { created, modified, unchanged, deleted, rejected, serial } = summary;
  return {
    ...{ source: target.source.toUpperCase(), serial, dryRun: target.dryRun, seconds: Number(seconds.toFixed(3)) },
    ...{ created, modified, unchanged, deleted, rejected, reasons, otherReasons: others },
    missingMaintainers: summary.danglingMaintainers,
    missingExamples: summary.danglingExamples,
  };
}

function describeLoad(summary: LoadSummary, seconds: number, target: LoadTarget, counts: RejectCounts): string[] {
  const missing = summary.danglingMaintainers > 0n ? [describeDangling(summary)] : [];
  return [describeSummary(summary, seconds, target), ...linesOf(counts), ...missing];
}

function describeSummary(summary: LoadSummary, seconds: number, { source, dryRun }: LoadTarget): string {
  const { created, modified, unchanged, deleted, rejected, serial } = summary;
  const counts = `${created} created, ${modified} modified, ${unchanged} unchanged, ${deleted} deleted, ${rejected} rejected`;
  const speed = Math.round(Number(created + modified + unchanged) / Math.max(seconds, 0.001));
  const where = `${source.toUpperCase()} is at serial ${serial}`;
  return `${counts} in ${seconds.toFixed(1)} s (${speed} objects/s); ${where}${dryRun ? ' (dry run, nothing was stored)' : ''}`;
}

function describeDangling({ danglingMaintainers: count, danglingExamples: examples }: LoadSummary): string {
  const more = count > BigInt(examples.length) ? ', ...' : '.';
  return `${count} referenced maintainers do not exist: ${examples.map((name) => printableLine(name, 80)).join(', ')}${more} Load them, or create them as the operator.`;
}
