import { type FeedPosition, watchChanges } from '@cadastre/changes';
import type { Change } from '@cadastre/nrtm';
import { type ChangeEntry, LookupStatus } from '@cadastre/proto/objects';
import { Operation, type RegistryObject } from '@cadastre/proto/registry';
import type { Objects } from '../objects-client.js';
import type { PublicSource } from '../public-source.js';
import { isPublicType, publicText } from './public-export.js';

/** Public changes. */
export interface PublicChanges {
  readonly changes: readonly Change[];
  /** Every public change up to here is among these and earlier ones. */
  readonly position: FeedPosition;
}

/** The changes of a source after a position, in order, at least up to a serial, in public form. */
export async function* readChanges(
  objects: Pick<Objects, 'feed' | 'reader'>,
  source: PublicSource,
  { from, upTo, signal }: { from: FeedPosition; upTo: bigint; signal: AbortSignal },
): AsyncGenerator<PublicChanges> {
  const wanted = { source: source.store, from, signal };
  for await (const { changes, serial, position } of watchChanges(objects.feed, wanted)) {
    if (changes.length > 0) yield { changes: await publicChanges(objects.reader, source, changes, signal), position };
    if (serial >= upTo) return;
  }
  signal.throwIfAborted();
}

/** The effect of one change for followers; `unknown`: a deletion if they had the object before. */
type Meaning = Change | 'nothing' | 'unknown';

async function publicChanges(
  reader: Objects['reader'],
  source: PublicSource,
  entries: readonly ChangeEntry[],
  signal: AbortSignal,
): Promise<Change[]> {
  const meanings = entries.map((entry) => meaningOf(entry, source));
  const unknown = entries.filter((_, at) => meanings[at] === 'unknown');
  const had = await whatOthersHad(reader, source, unknown, signal);
  return entries.flatMap((entry, at) => {
    const meaning = meanings[at]!;
    if (meaning === 'nothing') return [];
    if (meaning !== 'unknown') return [meaning];
    return had.has(entry) ? [deletion(entry.object!)] : [];
  });
}

/** Whether an object is public can change: a role may lose its abuse-mailbox, a route may move to the other part. */
function meaningOf({ operation, object }: ChangeEntry, source: PublicSource): Meaning {
  if (object === undefined || !isPublicType(source, object.type)) return 'nothing';
  const isDeletion = operation === Operation.OPERATION_DELETE;
  // The operator has erased the text of a former state: a later change has the present state of the object.
  if (object.text === '') return isDeletion ? deletion(object) : 'nothing';
  const text = publicText(object.text, source);
  if (isDeletion) return text === undefined ? 'nothing' : deletion(object);
  if (text !== undefined) return { action: 'add_modify', object: text };
  return object.revision > 1 ? 'unknown' : 'nothing';
}

function deletion({ type, key }: RegistryObject): Change {
  return { action: 'delete', objectClass: type, primaryKey: key };
}

/** The changes before which followers had the object. */
async function whatOthersHad(
  reader: Objects['reader'],
  source: PublicSource,
  entries: readonly ChangeEntry[],
  signal: AbortSignal,
): Promise<ReadonlySet<ChangeEntry>> {
  const had = new Set<ChangeEntry>();
  for (let left = entries; left.length > 0; ) {
    const lookups = left.map(({ serial, object }) => ({
      key: { source: source.store, type: object!.type, key: object!.key },
      moment: { point: { $case: 'serial' as const, value: serial - 1n } },
      nearest: false,
    }));
    const { answers } = await reader.batchLookupPast({ lookups }, { signal });
    const later: ChangeEntry[] = [];
    left.forEach((entry, at) => {
      const { status, object } = answers[at]!;
      if (status === LookupStatus.LOOKUP_STATUS_ASK_AGAIN) later.push(entry);
      else if (status === LookupStatus.LOOKUP_STATUS_FORGOTTEN || status === LookupStatus.LOOKUP_STATUS_ERASED)
        had.add(entry);
      else if (object !== undefined && publicText(object.text, source) !== undefined) had.add(entry);
    });
    left = later;
  }
  return had;
}
