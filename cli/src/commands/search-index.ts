import { setTimeout as sleep } from 'node:timers/promises';
import { type Rebuild, RebuildPhase, SearchServiceService, type SourceIndexStatus } from '@cadastre/proto/search';
import { type RpcClient, ServiceError } from '@cadastre/service';
import type { Command } from 'commander';
import type { Run } from '../action.js';
import { findAddresses } from '../addresses.js';
import { withClient } from '../clients.js';
import { counted } from '../counted.js';
import { CommandFailure } from '../failure.js';
import { unlessInterrupted } from '../interrupts.js';
import { type ExitCode, exitCode, type Io, note, say } from '../io.js';
import { printableLine } from '../printable.js';
import { createRebuildReport } from './rebuild-report.js';
import { asList, type ListOptions, printList } from './results.js';

type Search = RpcClient<typeof SearchServiceService>;

interface RebuildOptions {
  wait?: true;
  fromStart?: true;
}

const rebuildHelp = `
Searches use the old index until the new one has caught up. The rebuild runs in the search service, which continues it
after a restart: Ctrl-C ends only the waiting. "cadastre index status" shows its progress.
`;

/** Adds `cadastre index status|rebuild`. */
export function addIndexCommands(program: Command, io: Io, run: Run): void {
  const index = program.command('index').description('Show and rebuild the search index.');
  asList(index.command('status'))
    .description(
      'Show the index of each source and its newest rebuild. Exit code 2 when a source has no index or its rebuild failed.',
    )
    .action(run((options: ListOptions) => showIndexes(io, options)));
  index
    .command('rebuild')
    .description('Rebuild the index of a source. Exit code with --wait: 0 rebuilt, 2 failed, 130 interrupted.')
    .addHelpText('after', rebuildHelp)
    .argument('[source]', "source; default: the registry's own")
    .option('--wait', 'show the progress and return when the rebuild has ended')
    .option('--from-start', 'do not continue an interrupted rebuild')
    .action(run((source: string | undefined, options: RebuildOptions) => rebuildIndex(io, source, options)));
}

/** Runs `use` with the ready replicas of search or, while there is none, with any of them, which build their index. */
async function withSearch<R>(io: Io, use: (search: Search) => Promise<R>): Promise<R> {
  const isReady = findAddresses(io.env).searchAny === undefined || (await responds(io));
  return withClient(io, isReady ? 'search' : 'searchAny', SearchServiceService, use);
}

async function responds(io: Io): Promise<boolean> {
  try {
    await withClient(io, 'search', SearchServiceService, (search) => search.getIndexStatus({}));
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'unavailable') return false;
    throw error;
  }
}

async function showIndexes(io: Io, options: ListOptions): Promise<ExitCode> {
  const { sources } = await withSearch(io, (search) => search.getIndexStatus({}));
  await printList(io, columns, sources.map(recordOf), options);
  return sources.every(isSound) ? exitCode.done : exitCode.failed;
}

const columns = [
  'source',
  { name: 'serial', none: 'no index' },
  'behind',
  'objects',
  'reached',
  'rebuild',
  'copied',
  { name: 'expected', head: 'OF ABOUT' },
  'advanced',
  'failure',
] as const;

const phases: Readonly<Record<number, string>> = {
  [RebuildPhase.REBUILD_PHASE_EXPORT]: 'export',
  [RebuildPhase.REBUILD_PHASE_INDEXES]: 'indexes',
  [RebuildPhase.REBUILD_PHASE_CHANGES]: 'changes',
  [RebuildPhase.REBUILD_PHASE_FINISHED]: 'finished',
  [RebuildPhase.REBUILD_PHASE_FAILED]: 'failed',
};

function recordOf({ source, serial, reached, objects, behind, rebuild }: SourceIndexStatus) {
  return {
    source,
    serial: reached === undefined ? null : serial,
    behind: behind ?? null,
    objects,
    reached: reached ?? null,
    rebuild: (rebuild && phases[rebuild.phase]) ?? null,
    copied: rebuild?.objects ?? null,
    expected: rebuild?.expectedObjects ?? null,
    advanced: rebuild?.advanced ?? null,
    failure: rebuild?.failure || null,
  };
}

function isSound({ reached, rebuild }: SourceIndexStatus): boolean {
  return reached !== undefined && !rebuild?.failure;
}

async function rebuildIndex(io: Io, requested: string | undefined, options: RebuildOptions): Promise<ExitCode> {
  return withSearch(io, async (search) => {
    const source = requested?.toUpperCase() ?? (await search.getIndexStatus({})).sources[0]!.source;
    const id = await begin(io, search, source, options);
    if (!options.wait) {
      say(io, `rebuild ${id} of ${source} runs; "cadastre index status" shows its progress`);
      return exitCode.done;
    }
    const ended = await unlessInterrupted(io, (signal) => showUntilEnded(io, search, { source, id }, signal));
    if (typeof ended === 'string') {
      note(io, `interrupted; the rebuild of ${source} continues, "cadastre index status" shows its progress`);
      return exitCode[ended];
    }
    if (ended.phase === RebuildPhase.REBUILD_PHASE_FAILED) {
      throw new CommandFailure(`The rebuild of ${source} failed: ${printableLine(ended.failure, 500)}`);
    }
    say(io, `the index of ${source} is rebuilt: ${counted(ended.objects, 'object')}`);
    return exitCode.done;
  });
}

/** Starts a rebuild, or finds the one that is running if the command is to wait. Returns its identifier. */
async function begin(io: Io, search: Search, source: string, options: RebuildOptions): Promise<string> {
  try {
    return (await search.rebuildIndex({ source, fromStart: options.fromStart ?? false })).id;
  } catch (error) {
    if (!options.wait || !(error instanceof ServiceError && error.kind === 'conflict')) throw error;
    const { sources } = await search.getIndexStatus({});
    const running = sources.find((one) => one.source === source && one.rebuilding)?.rebuild;
    if (running === undefined) throw error;
    note(io, `a rebuild of ${source} is already running: waiting for that one`);
    return running.id;
  }
}

interface NamedRebuild {
  source: string;
  id: string;
}

const maxWaitMs = 7 * 24 * 3_600_000;
/** Maximum time for which a search service that restarts is unavailable. */
const maxSilenceMs = 120_000;
const pauseMs = 1_000;
/** Each replica of search knows only its own rebuilds, and requests go to them in turn. */
const maxMisses = 20;

/** Shows a rebuild until it has ended. It hides the cursor: call it once an interruption aborts `signal`. */
async function showUntilEnded(io: Io, search: Search, rebuild: NamedRebuild, signal: AbortSignal): Promise<Rebuild> {
  const report = createRebuildReport(io, rebuild.source);
  try {
    return await wait(search, rebuild, report.show, signal);
  } finally {
    report.end();
  }
}

/** Watches a rebuild until it has ended, also while the service restarts. */
async function wait(
  search: Search,
  rebuild: NamedRebuild,
  show: (rebuild: Rebuild) => void,
  signal: AbortSignal,
): Promise<Rebuild> {
  let misses = 0;
  for (let giveUp = Date.now() + maxSilenceMs; ; await sleep(pauseMs, undefined, { signal })) {
    try {
      for await (const news of search.watchRebuild(rebuild, { deadlineMs: maxWaitMs, signal })) {
        const now = news.rebuild!;
        show(now);
        if (hasEnded(now)) return now;
        giveUp = Date.now() + maxSilenceMs;
        misses = 0;
      }
    } catch (error) {
      const kind = error instanceof ServiceError ? error.kind : undefined;
      const isElsewhere = kind === 'not-found' && ++misses <= maxMisses;
      const isAway = isElsewhere || kind === 'unavailable' || kind === 'cancelled';
      if (signal.aborted || !isAway || Date.now() > giveUp) throw error;
    }
  }
}

function hasEnded({ phase }: Rebuild): boolean {
  return phase === RebuildPhase.REBUILD_PHASE_FINISHED || phase === RebuildPhase.REBUILD_PHASE_FAILED;
}
