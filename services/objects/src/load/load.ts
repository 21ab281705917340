import { DumpEncoding, type LoadSettings } from '@cadastre/proto/objects';
import type pg from 'pg';
import type { Context } from '../context.js';
import { prepareBatches, refreshStatistics } from '../store/bulk.js';
import { isSmall, storedKeys } from '../store/next-table.js';
import { missingKeys } from '../store/objects.js';
import type { Source } from '../store/sources.js';
import { hasForgotten } from '../store/trimmed-changes.js';
import { acceptPart, type Batch } from './accept-part.js';
import type { RefusedDeletion } from './delete-others.js';
import { beginFilling, type FillTarget, fillTable } from './fill-table.js';
import { createKeySet } from './key-set.js';
import type { NamedKeys } from './named-keys.js';
import { loadedSource, namedKey, type Rejection } from './read-object.js';
import type { ReadPart } from './read-part.js';
import { dumpParts, firstBytes, readParts } from './read-parts.js';
import { endReplacing, type ReplacingStep, replacingStep, stageBatches } from './replace.js';
import type { LoadCounts, LoadStart } from './start.js';
import { type Resume, type Stored, storeAtOnce, storeBatches, sum } from './store-batch.js';

/** Progress of a load. */
export interface LoadNews {
  readonly counts: LoadCounts;
  /** Since the last report. */
  readonly rejections: readonly Rejection[];
  /** First line of the last object, from 1. */
  readonly line: number;
  /** Whether these objects are stored only at the end of the load. */
  readonly atEnd: boolean;
  /** Where the load can resume after a break. */
  readonly resume?: Resume;
  /** In the last report: keys of missing mntners and irts that objects of the dump name. */
  readonly dangling?: readonly string[];
  /** In the last report of a replacing load that deleted nothing, although objects are not in the dump. */
  readonly refused?: RefusedDeletion | undefined;
}

/** After this many changes the load refreshes the planner's statistics. */
const manyChanges = 10_000;

/**
 * Loads a dump, or the rest of it from `start` on, and reports progress after each batch and after the end of a
 * replacing load. Threads read the next parts of the dump while the database stores the current one. `data` must throw
 * when it ends early; otherwise a replacing load would delete the missing rest. A replacing load deletes only after it
 * has read everything.
 */
export async function* load(
  client: pg.ClientBase,
  source: Source,
  settings: LoadSettings,
  start: LoadStart,
  data: AsyncIterable<Buffer>,
  context: Pick<Context, 'clock' | 'certificates' | 'loadReaders'>,
): AsyncGenerator<LoadNews> {
  const { clock } = context;
  const { since, named } = start;
  const { dryRun, replace } = settings;
  const target = { client, sourceId: source.id, clock, dryRun, replacing: replace };
  const step = replacingStep(source, settings);
  await prepareBatches(client);
  const loaded = loadedSource(source, settings.originSource);
  const reading = { sourceId: source.id, source: loaded, salt: named.accepted.salt, now: clock() };
  const text = decodeText(data, settings.encoding);
  const parts = readParts(dumpParts(text, start.line), context.loadReaders, reading);
  let { counts, staged } = start;
  let last = 0;
  for await (const stored of await storing(target, step, parts, start, context)) {
    const { total, rejections, line, atEnd, resume } = stored;
    counts = { ...sum(start.counts, total), deleted: 0, rejected: counts.rejected + rejections.length };
    last = line;
    staged = resume?.staged ?? false;
    yield { counts, rejections, line, atEnd, ...(resume && { resume }) };
  }
  let refused: RefusedDeletion | undefined;
  if (replace) {
    const { rejected, modified } = counts;
    const dump = {
      named,
      since,
      accepted: counts.created + counts.modified + counts.unchanged,
      rejected,
      modified,
      staged,
    };
    const ended = await endReplacing(target, step, settings, dump);
    ({ refused } = ended);
    counts = { ...counts, deleted: ended.deleted };
    yield { counts, rejections: [], line: last, atEnd: false };
  }
  const changed = counts.created + counts.modified + counts.deleted;
  if (!dryRun && changed >= manyChanges) await refreshStatistics(client);
  const dangling = await danglingMaintainers(client, source, named);
  yield { counts, rejections: [], line: last, atEnd: false, dangling, refused };
}

/** A dump with fewer bytes of rows is stored in batches. */
const largeDump = 16 * 1024 * 1024;

/**
 * Stores the parts: those of a large dump for a small registry by a new table, others in batches, which a replacing load
 * stages.
 */
async function storing(
  target: FillTarget,
  step: ReplacingStep,
  parts: AsyncIterable<ReadPart>,
  start: LoadStart,
  { certificates }: Pick<Context, 'certificates'>,
): Promise<AsyncGenerator<Stored>> {
  const { client, sourceId, dryRun } = target;
  const { named, since, isResumed } = start;
  // Deletions follow a filled table as a step of their own; a source that never changed has nothing to delete.
  const isOneStep = since === 0n || !step.allOrNothing;
  const mayTry = !dryRun && !isResumed && isOneStep;
  const mayFill = mayTry && (await isSmall(client)) && !(await hasForgotten(client, sourceId));
  const known = createKeySet(named.accepted.salt);
  for (const id of mayFill ? await storedKeys(client, sourceId) : []) known.add(namedKey(id));
  const batches = (async function* () {
    for await (const part of parts) yield await acceptPart(part, { named, known }, sourceId, certificates);
  })();
  const inBatches = (all: AsyncIterable<Batch>) => {
    if (start.staged) return stageBatches(target, step, all);
    return step.allOrNothing && !dryRun ? storeAtOnce(target, all) : storeBatches(target, all);
  };
  if (!mayFill) return inBatches(batches);
  const { isLarge, all } = await firstBytes(batches, largeDump, ({ rows }) =>
    rows.reduce((sum, { buffer }) => sum + buffer.length, 0),
  );
  return isLarge && (await beginFilling(target)) ? fillTable(target, all, since) : inBatches(all);
}

/** Mirrored sources refuse writes, so missing maintainers are harmless there. */
async function danglingMaintainers(client: pg.ClientBase, source: Source, named: NamedKeys): Promise<string[]> {
  if (source.kind !== 'main') return [];
  const keys = [...named.maintainers].map((reference) => {
    const at = reference.indexOf(':');
    return { type: reference.slice(0, at) as 'mntner' | 'irt', key: reference.slice(at + 1) };
  });
  const elsewhere = keys.filter((key) => !named.accepted.has(namedKey(key)));
  return (await missingKeys(client, source.id, elsewhere)).map(({ key }) => key).sort();
}

/** Decodes chunks to text. Invalid UTF-8 becomes U+FFFD, which latin-1 does not have either. */
async function* decodeText(chunks: AsyncIterable<Buffer>, encoding: DumpEncoding): AsyncGenerator<string> {
  if (encoding !== DumpEncoding.DUMP_ENCODING_UTF8) {
    for await (const chunk of chunks) yield chunk.toString('latin1');
    return;
  }
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
