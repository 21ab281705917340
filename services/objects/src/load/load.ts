import type { LoadSettings } from '@cadastre/proto/objects';
import type pg from 'pg';
import type { Context } from '../context.js';
import { prepareBatches } from '../store/bulk.js';
import { hasForgotten } from '../store/kept-changes.js';
import { refreshStatistics } from '../store/maintenance.js';
import { isSmall, storedKeys } from '../store/next-table.js';
import { missingKeys } from '../store/objects.js';
import { currentSerial } from '../store/serials.js';
import type { Source } from '../store/sources.js';
import { acceptPart, type Batch, type NamedKeys, noNamedKeys } from './accept-part.js';
import { decodeText } from './decode.js';
import { countOthers, deleteOthers } from './delete-others.js';
import { dumpParts } from './dump-parts.js';
import { beginFilling, fillTable } from './fill-table.js';
import { firstBytes } from './first-bytes.js';
import { createKeySet } from './key-set.js';
import { namedKey, type Rejection } from './read-object.js';
import type { ReadPart } from './read-part.js';
import { readParts } from './read-parts.js';
import { type RefusedDeletion, refuseDeletion } from './refuse-deletion.js';
import { type BatchTarget, type Stored, storeBatches } from './store-batch.js';

/** Progress of a load. */
export interface LoadCounts {
  readonly created: number;
  readonly modified: number;
  readonly unchanged: number;
  readonly deleted: number;
  readonly rejected: number;
}

export interface LoadNews {
  readonly counts: LoadCounts;
  /** Since the last report. */
  readonly rejections: readonly Rejection[];
  /** First line of the last object, from 1. */
  readonly line: number;
  /** Whether these objects are stored only at the end of the load. */
  readonly atEnd: boolean;
  /** In the last report: keys of missing mntners and irts that objects of the dump name. */
  readonly dangling?: readonly string[];
  /** In the last report of a replacing load that deleted nothing, although objects are not in the dump. */
  readonly refused?: RefusedDeletion | undefined;
}

/** After this many changes the load refreshes the planner's statistics. */
const manyChanges = 10_000;

/**
 * Loads a dump and reports progress after each batch and after the deletions of a replacing load. Threads read the next
 * parts of the dump while the database stores the current one. `data` must throw when it ends early; otherwise a
 * replacing load deletes the missing rest. A replacing load deletes only after it has read and stored everything.
 */
export async function* load(
  client: pg.ClientBase,
  source: Source,
  settings: LoadSettings,
  data: AsyncIterable<Buffer>,
  context: Pick<Context, 'clock' | 'certificates' | 'loadReaders'>,
): AsyncGenerator<LoadNews> {
  const { clock } = context;
  const target: BatchTarget = { client, sourceId: source.id, clock, dryRun: settings.dryRun };
  const since = await currentSerial(client, source.id);
  const named = noNamedKeys();
  await prepareBatches(client);
  const { name, kind } = source;
  const reading = { sourceId: source.id, source: { name, kind }, salt: named.accepted.salt, now: clock() };
  const parts = readParts(dumpParts(decodeText(data, settings.encoding)), context.loadReaders, reading);
  let counts: LoadCounts = { created: 0, modified: 0, unchanged: 0, deleted: 0, rejected: 0 };
  let last = 0;
  for await (const { total, rejections, line, atEnd } of await storing(target, parts, named, since, context)) {
    counts = { ...counts, ...total, rejected: counts.rejected + rejections.length };
    last = line;
    yield { counts, rejections, line, atEnd };
  }
  let refused: RefusedDeletion | undefined;
  if (settings.replace) {
    const found = await countOthers(target, named, since);
    refused = refuseDeletion(settings, found, readOf(counts, target));
    if (refused === undefined && found.others > 0) {
      counts = { ...counts, deleted: target.dryRun ? found.others : await deleteOthers(target, named, since) };
    }
    yield { counts, rejections: [], line: last, atEnd: false };
  }
  const changed = counts.created + counts.modified + counts.deleted;
  if (!settings.dryRun && changed >= manyChanges) await refreshStatistics(client);
  const dangling = await danglingMaintainers(client, source, named);
  yield { counts, rejections: [], line: last, atEnd: false, dangling, refused };
}

/** What a load has read; a dry run stores no object. */
function readOf({ created, modified, unchanged, rejected }: LoadCounts, { dryRun }: BatchTarget) {
  return { accepted: created + modified + unchanged, rejected, created: dryRun ? 0 : created };
}

/** A dump with fewer bytes of rows is stored in batches. */
const largeDump = 16 * 1024 * 1024;

/** Stores the parts: those of a large dump for a small registry by a new table, others in batches. */
async function storing(
  target: BatchTarget,
  parts: AsyncIterable<ReadPart>,
  named: NamedKeys,
  since: bigint,
  { certificates }: Pick<Context, 'certificates'>,
): Promise<AsyncGenerator<Stored>> {
  const { client, sourceId, dryRun } = target;
  const mayFill = !dryRun && (await isSmall(client)) && !(await hasForgotten(client, sourceId));
  const known = createKeySet(named.accepted.salt);
  for (const id of mayFill ? await storedKeys(client, sourceId) : []) known.add(namedKey(id));
  const batches = (async function* () {
    for await (const part of parts) yield await acceptPart(part, { named, known }, sourceId, certificates);
  })();
  if (!mayFill) return storeBatches(target, batches);
  const { isLarge, all } = await firstBytes(batches, largeDump, sizeOf);
  return isLarge && (await beginFilling(target)) ? fillTable(target, all, since) : storeBatches(target, all);
}

function sizeOf({ rows }: Batch): number {
  return rows.reduce((sum, { buffer }) => sum + buffer.length, 0);
}

/** Mirrored sources refuse writes, so missing maintainers do no harm there. */
async function danglingMaintainers(client: pg.ClientBase, source: Source, named: NamedKeys): Promise<string[]> {
  if (source.kind !== 'main') return [];
  const keys = [...named.maintainers].map((reference) => {
    const at = reference.indexOf(':');
    return { type: reference.slice(0, at) as 'mntner' | 'irt', key: reference.slice(at + 1) };
  });
  const elsewhere = keys.filter((key) => !named.accepted.has(namedKey(key)));
  return (await missingKeys(client, source.id, elsewhere)).map(({ key }) => key).sort();
}
