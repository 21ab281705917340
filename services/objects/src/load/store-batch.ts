import { inTransactionOn } from '@cadastre/service';
import type pg from 'pg';
import { type BulkState, insertChanges, insertMany, type KnownState, knownStates, replaceMany } from '../store/bulk.js';
import { registerHandles } from '../store/handles.js';
import { lockSourceAlone } from '../store/locks.js';
import { currentSerial, takeSerials } from '../store/serials.js';
import type { LoadedObject } from './read-object.js';

/** The result of storing a batch. */
export interface BatchResult {
  readonly created: number;
  readonly modified: number;
  readonly unchanged: number;
  /** The serial at which the source holds only what this load has stored; undefined when it holds more. */
  readonly aloneAt: bigint | undefined;
}

/** Where and how to store batches. */
export interface BatchTarget {
  readonly client: pg.ClientBase;
  readonly sourceId: number;
  readonly clock: () => Date;
  readonly dryRun: boolean;
}

/**
 * Stores a batch in one transaction without other writers to the source. `aloneAt` is the result of the previous batch:
 * if the source is still at that serial, it holds none of the keys, which saves the lookup.
 */
export async function storeBatch(
  target: BatchTarget,
  objects: readonly LoadedObject[],
  aloneAt: bigint | undefined,
): Promise<BatchResult> {
  const { client, sourceId } = target;
  if (target.dryRun) return resultOf(await compare(client, sourceId, objects, aloneAt));
  return inTransactionOn(client, async () => {
    await lockSourceAlone(client, sourceId);
    const difference = await compare(client, sourceId, objects, aloneAt);
    const changing = [...difference.fresh, ...difference.changed];
    if (changing.length === 0) return resultOf(difference);
    const instant = target.clock();
    const first = Number(await takeSerials(client, sourceId, changing.length));
    const states = changing.map(
      ({ object, known }, index): BulkState => ({
        ...object,
        modified: object.modified ?? instant,
        revision: (known?.revision ?? 0) + 1,
        serial: first + index,
      }),
    );
    await insertMany(client, sourceId, states.slice(0, difference.fresh.length));
    await replaceMany(client, sourceId, states.slice(difference.fresh.length));
    await insertChanges(client, sourceId, states, instant);
    await registerHandles(client, sourceId, [...states, ...namedCertificates(states)]);
    return { ...resultOf(difference), aloneAt: difference.alone ? BigInt(first + states.length - 1) : undefined };
  });
}

/** The registry never reuses certificate numbers that mntners name, whether the key-certs exist or not. */
function namedCertificates(states: readonly BulkState[]): { type: 'key-cert'; key: string }[] {
  const prefix = 'key-cert:';
  return states
    .filter(({ type }) => type === 'mntner' || type === 'irt')
    .flatMap(({ references }) => references.filter((reference) => reference.startsWith(`${prefix}x509-`)))
    .map((reference) => ({ type: 'key-cert', key: reference.slice(prefix.length) }));
}

interface Compared {
  readonly object: LoadedObject;
  readonly known: KnownState | undefined;
}

/** The difference between a batch and the stored objects. */
interface Difference {
  /** Keys that never existed. */
  readonly fresh: readonly Compared[];
  /** Keys whose objects are different or deleted. */
  readonly changed: readonly Compared[];
  readonly unchanged: number;
  /** Whether the source holds only what this load has stored. */
  readonly alone: boolean;
  readonly serial: bigint;
}

async function compare(
  client: pg.ClientBase,
  sourceId: number,
  objects: readonly LoadedObject[],
  aloneAt: bigint | undefined,
): Promise<Difference> {
  const serial = await currentSerial(client, sourceId);
  if (serial === aloneAt) {
    return {
      fresh: objects.map((object) => ({ object, known: undefined })),
      changed: [],
      unchanged: 0,
      alone: true,
      serial,
    };
  }
  const known = await knownStates(client, sourceId, objects);
  const compared = objects.map((object, index) => ({ object, known: known[index] }));
  const fresh = compared.filter((one) => one.known === undefined);
  const changed = compared.filter((one) => one.known?.deleted || (one.known && one.known.text !== one.object.text));
  return { fresh, changed, unchanged: objects.length - fresh.length - changed.length, alone: false, serial };
}

function resultOf({ fresh, changed, unchanged, alone, serial }: Difference): BatchResult {
  const modified = changed.filter(({ known }) => !known!.deleted).length;
  return {
    created: fresh.length + changed.length - modified,
    modified,
    unchanged,
    aloneAt: alone ? serial : undefined,
  };
}
