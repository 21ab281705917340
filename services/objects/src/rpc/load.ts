import type {
  BulkLoadServiceService,
  LoadPosition,
  LoadRequest,
  LoadResponse,
  LoadSettings,
  LoadSummary,
} from '@cadastre/proto/objects';
import { type Call, type Handlers, ServiceError } from '@cadastre/service';
import type pg from 'pg';
import type { Context } from '../context.js';
import { type LoadNews, load as loadDump } from '../load/load.js';
import { addLoadedKeys } from '../load/named-keys.js';
import type { RefusedDeletion } from '../load/refuse-deletion.js';
import { type LoadCounts, type LoadStart, startLoad } from '../load/start.js';
import { tryLockLoad, unlockLoad } from '../store/locks.js';
import { currentSerial } from '../store/serials.js';
import type { Source } from '../store/sources.js';
import { firstSettings } from './first-settings.js';
import { requireSource } from './requested.js';

/** Maximum number of missing maintainers that a summary names. */
const maxExamples = 10;

export function load(context: Context): Handlers<typeof BulkLoadServiceService>['load'] {
  return async function* (requests, call) {
    const parts = requests[Symbol.asyncIterator]();
    const settings = await firstSettings(parts);
    const source = requireSource(context.sources, settings.source);
    if (call.caller === 'mirror' && source.kind === 'main') {
      throw new ServiceError('forbidden', 'The mirror service may load copies of other registries only');
    }
    // The connection of the broken load may still be open.
    const taken = settings.resume === undefined ? 'conflict' : 'unavailable';
    const lock = await takeLoadLock(context.loadPool, source, taken);
    try {
      yield* loadParts(context, lock.client, source, settings, parts, call);
    } finally {
      await lock.release();
    }
  };
}

async function* loadParts(
  context: Context,
  client: pg.ClientBase,
  source: Source,
  settings: LoadSettings,
  parts: AsyncIterator<LoadRequest>,
  call: Call,
): AsyncGenerator<LoadResponse> {
  const taken = { bytes: 0 };
  const start = await startLoad(client, source, settings, context.clock());
  let { counts } = start;
  let dangling: readonly string[] = [];
  let refused: RefusedDeletion | undefined;
  if (settings.resumable) yield begun(start);
  for await (const news of loadDump(client, source, settings, start, dataOf(parts, start, taken, call), context)) {
    counts = news.counts;
    if (news.dangling === undefined) yield* responses(news, settings.resumable ? start : undefined, taken.bytes);
    else ({ dangling, refused } = news);
  }
  const serial = await currentSerial(client, source.id);
  const danglingMaintainers = dangling.length;
  const facts = { source: source.name, ...counts, danglingMaintainers, dryRun: settings.dryRun };
  if (refused === undefined) call.logger.info(facts, 'loaded');
  else call.logger.warn({ ...facts, refused }, 'loaded, but refused to delete');
  const summary = {
    ...bigints(counts),
    serial,
    danglingMaintainers: BigInt(danglingMaintainers),
    danglingExamples: dangling.slice(0, maxExamples).map((name) => name.toUpperCase()),
  };
  yield { news: refused === undefined ? { $case: 'summary', value: summary } : refusal(refused, summary) };
}

function begun(start: LoadStart): LoadResponse {
  const { line, staged, counts, replacingSince } = start;
  return { news: { $case: 'begun', value: { position: positionOf(start, counts, { line, staged }), replacingSince } } };
}

function positionOf(
  { named, since }: LoadStart,
  counts: LoadCounts,
  { line, staged }: { readonly line: number; readonly staged: boolean },
): LoadPosition {
  const { created, modified, unchanged, rejected } = bigints(counts);
  return { load: named.accepted.salt, line: BigInt(line), since, created, modified, unchanged, rejected, staged };
}

function refusal({ reason, deletes, sourceObjects }: RefusedDeletion, loaded: LoadSummary): LoadResponse['news'] {
  const value = { reason, deletes: BigInt(deletes), sourceObjects: BigInt(sourceObjects), loaded };
  return { $case: 'refused', value };
}

/**
 * Yields and counts the bytes of the dump; before, adds the keys of a resumed load. Throws when the caller cancels,
 * because then the dump is incomplete.
 */
async function* dataOf(
  parts: AsyncIterator<LoadRequest>,
  { isResumed, named }: LoadStart,
  taken: { bytes: number },
  call: Call,
): AsyncGenerator<Buffer> {
  for (;;) {
    const next = await parts.next();
    if (call.signal.aborted) throw new ServiceError('cancelled', 'The load was cancelled');
    if (next.done) return;
    const { part } = next.value;
    if (part?.$case === 'keys' && isResumed && taken.bytes === 0) {
      addLoadedKeys(named, part.value);
      continue;
    }
    if (part?.$case !== 'data') throw new ServiceError('invalid', 'Only the first message may be settings');
    taken.bytes += part.value.length;
    yield part.value;
  }
}

function* responses(news: LoadNews, start: LoadStart | undefined, bytes: number): Generator<LoadResponse> {
  const { counts, rejections, line, atEnd, resume } = news;
  for (const { line, name, reasons } of rejections) {
    yield { news: { $case: 'rejected', value: { line: BigInt(line), name, reasons: [...reasons] } } };
  }
  const objects = counts.created + counts.modified + counts.unchanged;
  const progress = {
    bytes: BigInt(bytes),
    objects: BigInt(objects),
    rejected: BigInt(counts.rejected),
    line: BigInt(line),
    storedAtEnd: atEnd,
    ...(start && resume && { position: positionOf(start, counts, resume), keys: resume.keys }),
  };
  yield { news: { $case: 'progress', value: progress } };
}

function bigints(counts: LoadCounts) {
  return {
    created: BigInt(counts.created),
    modified: BigInt(counts.modified),
    unchanged: BigInt(counts.unchanged),
    deleted: BigInt(counts.deleted),
    rejected: BigInt(counts.rejected),
  };
}

/** The load lock of a source, on a connection of its own. */
interface LoadLock {
  readonly client: pg.PoolClient;
  release(): Promise<void>;
}

/**
 * Acquires the load lock of a source, which loads and mirrors hold: one at a time. Errors: ServiceError of the kind
 * `taken` when another one has it.
 */
export async function takeLoadLock(
  pool: pg.Pool,
  source: Source,
  taken: 'conflict' | 'unavailable' = 'conflict',
): Promise<LoadLock> {
  const client = await pool.connect();
  try {
    if (!(await tryLockLoad(client, source.id))) {
      throw new ServiceError(taken, `Another load of ${source.name} is running`);
    }
  } catch (error) {
    client.release(!(error instanceof ServiceError));
    throw error;
  }
  return {
    client,
    async release() {
      // If the unlock fails, close the connection: that releases the lock, too.
      const free = await unlockLoad(client, source.id).then(
        () => true,
        () => false,
      );
      client.release(!free);
    },
  };
}
