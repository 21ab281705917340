import type { MirrorChange } from '@cadastre/proto/objects';
import { inTransactionOn } from '@cadastre/service';
import type pg from 'pg';
import type { Context } from '../context.js';
import { rowsAt, rowsOfKeyCerts } from '../load/accept-part.js';
import { deleteObjects } from '../load/delete-others.js';
import { createKeySet, type KeyHash, type KeySet, keyHash } from '../load/key-set.js';
import { loadedSource, namedKey, type Rejection } from '../load/read-object.js';
import type { PlacedState } from '../load/read-part.js';
import { atOneInstant, type BatchTarget, isSame, mergeDifference, nothing, sum } from '../load/store-batch.js';
import {
  compareBatch,
  type Difference,
  emptyBatch,
  existing,
  prepareBatches,
  refreshStatistics,
  sendToBatch,
} from '../store/bulk.js';
import { lockSourceAlone } from '../store/locks.js';
import type { ObjectRows } from '../store/object-rows.js';
import { currentSerial } from '../store/serials.js';
import type { Source } from '../store/sources.js';
import type { ObjectId } from '../store/stored-object.js';
import { type Deletion, type ReadChanges, readChanges } from './read-changes.js';

/** The effect of changes on a copy. */
export interface AppliedChanges extends Difference {
  readonly deleted: number;
  /** Deletions of objects that did not exist. */
  readonly missing: number;
  /** Changes that cannot be read; their lines are positions among the changes, from 0. */
  readonly rejections: readonly Rejection[];
  /** Of the source, afterwards. */
  readonly serial: bigint;
}

/** After this many changes, refreshes the planner's statistics. */
const manyChanges = 10_000;
const reason = 'deleted by its registry';

/**
 * Applies changes to a copy of another registry, which calls the source `origin`: the last one of each object, all in
 * one transaction. Reads all of them before it begins, so nothing is stored when `changes` throws.
 */
export async function applyChanges(
  client: pg.ClientBase,
  source: Source,
  origin: string | undefined,
  changes: AsyncIterable<MirrorChange>,
  { clock, certificates, loadReaders }: Pick<Context, 'clock' | 'certificates' | 'loadReaders'>,
): Promise<AppliedChanges> {
  const { salt } = createKeySet();
  const reading = { sourceId: source.id, source: loadedSource(source, origin), salt, now: clock() };
  const read: ReadChanges[] = [];
  for await (const part of readChanges(changes, loadReaders, reading)) read.push(part);
  const steps: Step[] = [];
  for (const { rows, keyCerts, deletions } of lastChanges(read, salt)) {
    const ids = deletions.map(({ type, key }) => ({ sourceId: source.id, type, key }));
    steps.push({ rows: [rows, ...(await rowsOfKeyCerts(keyCerts, source.id, certificates))], deletions: ids });
  }
  const applied = await storeSteps({ client, sourceId: source.id, clock }, steps);
  const { created, modified, deleted } = applied;
  if (created + modified + deleted >= manyChanges) await refreshStatistics(client);
  return { ...applied, rejections: read.flatMap(({ rejections }) => rejections) };
}

/** The changes of one statement of each kind. */
interface Step {
  readonly rows: readonly ObjectRows[];
  readonly deletions: readonly ObjectId[];
}

async function storeSteps(
  { client, sourceId, clock }: Omit<BatchTarget, 'dryRun'>,
  steps: readonly Step[],
): Promise<Omit<AppliedChanges, 'rejections'>> {
  await prepareBatches(client);
  return inTransactionOn(client, async () => {
    await lockSourceAlone(client, sourceId);
    const target = atOneInstant({ client, sourceId, clock, dryRun: false });
    let total = nothing;
    let [deleted, missing] = [0, 0];
    for (const { rows, deletions } of steps) {
      await emptyBatch(client);
      await sendToBatch(client, rows);
      const difference = await compareBatch(client, sourceId);
      if (!isSame(difference)) await mergeDifference(target, difference);
      total = sum(total, difference);
      const gone = await existing(client, deletions);
      await deleteObjects(target, gone, reason);
      deleted += gone.length;
      missing += deletions.length - gone.length;
    }
    return { ...total, deleted, missing, serial: await currentSerial(client, sourceId) };
  });
}

/** The changes of a part to store. No other part has the same keys. */
export interface LastChanges {
  readonly rows: ObjectRows;
  readonly keyCerts: readonly PlacedState[];
  readonly deletions: readonly Deletion[];
}

/** Selects the last change of each object. `salt` is that of the hashes in the parts. */
function lastChanges(parts: readonly ReadChanges[], salt: string): LastChanges[] {
  const later = createKeySet(salt);
  return parts
    .toReversed()
    .map((part) => lastOfPart(part, later))
    .toReversed();
}

/** Selects the changes whose keys have no later change, and adds their keys to the set. */
function lastOfPart({ puts, deletions }: ReadChanges, later: KeySet): LastChanges {
  const placeAt = (place: number) => puts.lines[place]!;
  const hashOf = (id: { readonly type: string; readonly key: string }) => keyHash(later.salt, namedKey(id));
  const placed: (readonly [number, KeyHash])[] = [
    ...Array.from(puts.places, (place, index) => {
      const hash = { high: puts.hashes[2 * index]!, low: puts.hashes[2 * index + 1]! };
      return [placeAt(place), hash] as const;
    }),
    ...puts.keyCerts.map((state) => [placeAt(state.place), hashOf(state)] as const),
    ...deletions.map((one) => [one.place, hashOf(one)] as const),
  ];
  placed.sort(([one], [other]) => other - one);
  const last = new Set(placed.filter(([, { high, low }]) => later.addHash(high, low)).map(([place]) => place));
  const indexes = [...puts.places.keys()].filter((index) => last.has(placeAt(puts.places[index]!)));
  const { buffer, byteOffset, length } = puts.rows;
  return {
    rows: rowsAt(Buffer.from(buffer, byteOffset, length), puts.starts, indexes),
    keyCerts: puts.keyCerts.filter((state) => last.has(placeAt(state.place))),
    deletions: deletions.filter((one) => last.has(one.place)),
  };
}
