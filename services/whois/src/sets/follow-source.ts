import { setImmediate as nextTurn } from 'node:timers/promises';
import { changesBetweenChecks, type FeedPosition, isFarBehind, newestChange, watchChanges } from '@cadastre/changes';
import type { ChangeEntry } from '@cadastre/proto/objects';
import { LookupStatus } from '@cadastre/proto/objects';
import { Operation, type RegistryObject, View } from '@cadastre/proto/registry';
import { type Logger, ServiceError, unlessSilent } from '@cadastre/service';
import type { Backends } from '../context.js';
import { turnMs } from '../turns.js';
import type { IndexedSource } from './indexed-source.js';
import { indexedTypes } from './source-index.js';

type Objects = Pick<Backends, 'reader' | 'feed'>;

/** An index with its position. */
export interface LoadedSource {
  readonly index: IndexedSource;
  /** In the feed. */
  readonly position: FeedPosition;
}

/** Fills an empty index from an export. */
export async function loadSource(
  { reader }: Objects,
  source: string,
  index: IndexedSource,
  logger: Logger,
  signal: AbortSignal,
): Promise<LoadedSource> {
  const put = putting(source, index, logger);
  const request = { source, types: [...indexedTypes], view: View.VIEW_FILTERED };
  let position: FeedPosition | undefined;
  for await (const page of unlessSilent((alive) => reader.exportObjects(request, { signal: alive }), signal)) {
    position ??= { serial: page.serial, instant: page.instant };
    for (const object of page.objects) await put(object);
  }
  signal.throwIfAborted();
  if (position === undefined) throw new ServiceError('unavailable', 'The export ended');
  return { index, position };
}

/**
 * Applies changes until the signal is aborted, or until reading the source again is cheaper; yields the position of the
 * index after each message. Throws like `watchChanges`.
 */
export async function* followSource(
  objects: Objects,
  source: string,
  { index, position: from }: LoadedSource,
  logger: Logger,
  signal: AbortSignal,
): AsyncGenerator<FeedPosition> {
  const wanted = { source, from, keysOnly: true, latestOnly: true, signal };
  let [applied, checked] = [from.serial, from.serial];
  for await (const { changes, position } of watchChanges(objects.feed, wanted)) {
    if (position.serial - checked >= changesBetweenChecks) {
      checked = position.serial;
      const newest = await newestChange(objects.reader, source, signal);
      if (await isFarBehind(newest, applied, () => BigInt(index.size()))) return;
    }
    await applyChanges(objects, source, index, changes, logger, signal);
    applied = position.serial;
    yield position;
  }
}

const types: ReadonlySet<string> = new Set(indexedTypes);

/** The feed announces which objects changed; a lookup gets their public texts. */
async function applyChanges(
  { reader }: Objects,
  source: string,
  index: IndexedSource,
  changes: readonly ChangeEntry[],
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const put = putting(source, index, logger);
  const changed: RegistryObject[] = [];
  for (const { object, operation } of changes) {
    if (object === undefined || !types.has(object.type)) continue;
    if (operation === Operation.OPERATION_DELETE) index.remove(object.type, object.key);
    else changed.push(object);
  }
  for (let left = changed; left.length > 0; ) {
    const lookups = left.map(({ type, key }) => ({
      key: { source, type, key },
      view: View.VIEW_FILTERED,
      withContacts: false,
    }));
    const { answers } = await reader.batchLookup({ lookups }, { signal });
    const later: RegistryObject[] = [];
    for (const [at, requested] of left.entries()) {
      const { status, object } = answers[at]!;
      if (status === LookupStatus.LOOKUP_STATUS_FOUND && object !== undefined) await put(object);
      else if (status === LookupStatus.LOOKUP_STATUS_NOT_FOUND) index.remove(requested.type, requested.key);
      else if (status === LookupStatus.LOOKUP_STATUS_ASK_AGAIN) later.push(requested);
      else logger.warn({ source, type: requested.type, key: requested.key, status }, 'cannot index object');
    }
    left = later;
  }
}

/** Puts objects into an index, and lets other work run first: a set of a megabyte takes milliseconds. */
function putting(source: string, index: IndexedSource, logger: Logger): (object: RegistryObject) => Promise<void> {
  let began = performance.now();
  return async (object) => {
    const { type, key, revision } = object;
    const bound = index.put(object);
    if (bound !== undefined)
      logger.warn({ source, type, key, revision, bound }, 'object exceeds a bound of the set index');
    if (performance.now() - began <= turnMs) return;
    await nextTurn();
    began = performance.now();
  };
}
