import { type FeedPosition, newestChange, watchChanges } from '@cadastre/changes';
import { errorText, isUnavailable, type Logger, ServiceError } from '@cadastre/service';
import { type BeginOptions, mayHave, type Rebuild, type SearchIndex } from '../index-port.js';
import { changesOf, documentsOf, exportAfter, type ObjectsBackend } from './objects-backend.js';

export interface RebuildOptions {
  readonly index: SearchIndex;
  readonly backend: ObjectsBackend;
  readonly logger: Logger;
  /** Called when this process has added objects to the copy, with their present number. */
  readonly onCopied?: (source: string, rebuild: string, objects: bigint) => void;
}

/** A rebuild that has begun. */
export interface BegunRebuild {
  readonly id: string;
  /**
   * Exports the missing objects, applies what changed meanwhile, and switches over when it has caught up. When it
   * fails, it stores why; then a rebuild can continue it, unless the failure would come again.
   */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/**
 * Begins to rebuild the index of a source beside the one in use, or continues an interrupted rebuild.
 * Errors: ServiceError 'conflict' while another rebuild of the source is running.
 */
export async function beginSourceRebuild(
  o: RebuildOptions,
  source: string,
  signal: AbortSignal,
  options: BeginOptions = {},
): Promise<BegunRebuild> {
  const copy = await o.index.beginRebuild(source, await newestChange(o.backend.reader, source, signal), options);
  return { id: copy.id, run: (stopping) => runRebuild(o, source, copy, stopping) };
}

async function runRebuild(o: RebuildOptions, source: string, copy: Rebuild, signal: AbortSignal): Promise<void> {
  const { id, exported, start, isFilled } = copy;
  const facts = { source, rebuild: id, serial: String(start.serial) };
  if (isFilled || exported !== undefined) o.logger.info({ ...facts, isFilled, exported }, 'index rebuild continues');
  else o.logger.info(facts, 'index rebuild begins');
  const progress = reportProgress(o, source, copy);
  try {
    if (!isFilled) await fill(o, source, copy, progress, signal);
    await catchUp(o, source, copy, progress, signal);
    progress.end('index rebuilt');
  } catch (error) {
    await leave(o, source, copy, error, signal);
    throw error;
  }
}

/** Preserves the copy of a rebuild that stops or fails for a reason that may disappear; otherwise discards it. */
async function leave({ logger }: RebuildOptions, source: string, copy: Rebuild, error: unknown, signal: AbortSignal) {
  const reason = reasonOf(error);
  if (signal.aborted) await copy.suspend();
  else if (isPassing(error)) {
    logger.warn({ source, rebuild: copy.id, reason }, 'index rebuild is interrupted: it continues soon');
    await copy.suspend(reason);
  } else {
    logger.error({ source, rebuild: copy.id, err: error }, 'index rebuild failed');
    await copy.abandon(reason);
  }
}

/** Adds the missing objects of the export to the copy; reads a page while the index stores the one before. */
async function fill(o: RebuildOptions, source: string, copy: Rebuild, progress: Progress, signal: AbortSignal) {
  let storing = Promise.resolve();
  try {
    for await (const page of exportAfter(o.backend, source, copy.exported, signal)) {
      const documents = documentsOf(page.objects, o.logger);
      await storing;
      if (documents.length > 0) storing = copy.fill(documents, page.position);
      storing.catch(() => {}); // awaited with the next page
      progress.add('export', documents.length);
    }
  } finally {
    await storing;
  }
  signal.throwIfAborted();
}

async function catchUp(o: RebuildOptions, source: string, copy: Rebuild, progress: Progress, signal: AbortSignal) {
  const target = await newestChange(o.backend.reader, source, signal);
  let reached: FeedPosition = copy.start;
  const isCaughtUp = () => reached.serial >= target.serial;
  // For a registry that was restored meanwhile, the feed refuses the position of the copy.
  if (isCaughtUp() && mayHave(target, reached) && (await copy.finish(reached))) return;
  for await (const response of watchChanges(o.backend.feed, { source, from: reached, latestOnly: true, signal })) {
    const changes = changesOf(response, o.logger);
    reached = response.position;
    await copy.apply({ ...changes, ...reached });
    progress.add('changes', changes.documents.length + changes.deletions.length);
    if (isCaughtUp() && (await copy.finish(reached))) return;
  }
  signal.throwIfAborted();
}

/** Whether the failure may disappear, so that the copy is worth preserving. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return isUnavailable(error);
  return ['unavailable', 'timeout', 'conflict', 'cancelled', 'exhausted'].includes(error.kind);
}

const maxReasonLength = 500;

/** The reason of a failure with its causes, for operators. */
function reasonOf(error: unknown): string {
  const texts = [errorText(error)];
  let cause = error instanceof Error ? error.cause : undefined;
  for (; cause instanceof Error && texts.length < 5; cause = cause.cause) texts.push(errorText(cause));
  const reason = texts.join(': ');
  return reason.length > maxReasonLength ? `${reason.slice(0, maxReasonLength)}...` : reason;
}

/** Time between two lines of the log about a rebuild. */
const reportEveryMs = 15_000;

interface Progress {
  add(phase: 'export' | 'changes', count: number): void;
  end(message: string): void;
}

/** Reports and logs how many objects and changes this process has added, and how fast. */
function reportProgress({ logger, onCopied }: RebuildOptions, source: string, copy: Rebuild): Progress {
  const started = Date.now();
  const counts = { export: 0, changes: 0 };
  let next = started + reportEveryMs;
  const facts = () => {
    const seconds = (Date.now() - started) / 1000;
    const perSecond = Math.round((counts.export + counts.changes) / Math.max(seconds, 0.001));
    const objects = Number(copy.objects) + counts.export;
    return { source, rebuild: copy.id, objects, changes: counts.changes, seconds: Math.round(seconds), perSecond };
  };
  return {
    add(phase, count) {
      counts[phase] += count;
      if (phase === 'export') onCopied?.(source, copy.id, copy.objects + BigInt(counts.export));
      if (Date.now() < next) return;
      next = Date.now() + reportEveryMs;
      logger.info({ ...facts(), phase }, 'index rebuild continues');
    },
    end: (message) => logger.info(facts(), message),
  };
}
