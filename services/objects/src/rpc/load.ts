import type {
  ApplyMirrorChangesRequest,
  BulkLoadServiceService,
  LoadPosition,
  LoadRequest,
  LoadResponse,
  LoadSettings,
  LoadSummary,
  MirrorChange,
  MirrorWriteServiceService,
} from '@cadastre/proto/objects';
import { type Call, type Handlers, ServiceError } from '@cadastre/service';
import type pg from 'pg';
import type { Context } from '../context.js';
import type { RefusedDeletion } from '../load/delete-others.js';
import { type LoadNews, load as loadDump } from '../load/load.js';
import { addLoadedKeys } from '../load/named-keys.js';
import { type LoadCounts, type LoadStart, startLoad } from '../load/start.js';
import { applyChanges } from '../mirror/apply-changes.js';
import { tryLockLoad, unlockLoad } from '../store/locks.js';
import { currentSerial } from '../store/serials.js';
import type { Source } from '../store/sources.js';
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
    ...bigints<keyof LoadCounts>(counts),
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
  const { created, modified, unchanged, rejected } = bigints<keyof LoadCounts>(counts);
  return { load: named.accepted.salt, line: BigInt(line), since, created, modified, unchanged, rejected, staged };
}

function refusal({ reason, deletes, sourceObjects }: RefusedDeletion, loaded: LoadSummary): LoadResponse['news'] {
  const value = { reason, deletes: BigInt(deletes), sourceObjects: BigInt(sourceObjects), loaded };
  return { $case: 'refused', value };
}

/** Yields and counts the bytes of the dump; before, adds the keys of a resumed load. */
async function* dataOf(
  parts: AsyncIterator<LoadRequest>,
  { isResumed, named }: LoadStart,
  taken: { bytes: number },
  call: Call,
): AsyncGenerator<Buffer> {
  for await (const part of furtherParts(parts, call)) {
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

/** Counts in the form of the contract. */
function bigints<N extends string>(counts: Readonly<Record<N, number>>): Record<N, bigint> {
  const all = Object.entries<number>(counts).map(([name, count]) => [name, BigInt(count)]);
  return Object.fromEntries(all) as Record<N, bigint>;
}

/**
 * Acquires the load lock of a source, which loads and mirrors hold: one at a time. Errors: ServiceError of the kind
 * `taken` when another one has it.
 */
async function takeLoadLock(pool: pg.Pool, source: Source, taken: 'conflict' | 'unavailable' = 'conflict') {
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
    async release(): Promise<void> {
      // If the unlock fails, close the connection: that releases the lock, too.
      const free = await unlockLoad(client, source.id).then(
        () => true,
        () => false,
      );
      client.release(!free);
    },
  };
}

/** Maximum number of rejected changes in a response. */
const maxRejections = 100;

export function applyMirrorChanges(context: Context): Handlers<typeof MirrorWriteServiceService>['applyMirrorChanges'] {
  return async (requests, call) => {
    const parts = requests[Symbol.asyncIterator]();
    const { source: name, originSource } = await firstSettings(parts);
    const source = requireSource(context.sources, name);
    if (source.kind !== 'grs') throw new ServiceError('invalid', `${source.name} is not a copy of another registry`);
    const lock = await takeLoadLock(context.loadPool, source);
    const changes = changesOf(parts, call);
    const applied = await applyChanges(lock.client, source, originSource, changes, context).finally(lock.release);
    const { rejections, serial, ...counts } = applied;
    const rejected = rejections.length;
    call.logger.info({ source: source.name, ...counts, rejected }, 'applied changes of the registry');
    return {
      ...bigints({ ...counts, rejected }),
      rejections: rejections
        .slice(0, maxRejections)
        .map(({ line, name, reasons }) => ({ position: BigInt(line), name, reasons: [...reasons] })),
      serial,
    };
  };
}

async function* changesOf(parts: AsyncIterator<ApplyMirrorChangesRequest>, call: Call): AsyncGenerator<MirrorChange> {
  for await (const part of furtherParts(parts, call)) {
    if (part?.$case !== 'changes') throw new ServiceError('invalid', 'Only the first message may be settings');
    yield* part.value.changes;
  }
}

/** Yields the parts of further messages. Throws when the caller cancels, because then the stream is incomplete. */
async function* furtherParts<P>(
  messages: AsyncIterator<{ readonly part?: P }>,
  call: Call,
): AsyncGenerator<P | undefined> {
  for (;;) {
    const next = await messages.next();
    if (call.signal.aborted) throw new ServiceError('cancelled', 'The call was cancelled');
    if (next.done) return;
    yield next.value.part;
  }
}

/** A message of a stream that begins with settings. */
interface Message<S> {
  readonly part?:
    | { readonly $case: 'settings'; readonly value: S }
    | { readonly $case: 'changes' | 'data' | 'keys' }
    | undefined;
}

/** Reads the first message of a stream. Throws a ServiceError when it is not the settings. */
async function firstSettings<S>(messages: AsyncIterator<Message<S>>): Promise<S> {
  const first = await messages.next();
  const part = first.done ? undefined : first.value.part;
  if (part?.$case !== 'settings') throw new ServiceError('invalid', 'The first message must be the settings');
  return part.value;
}
