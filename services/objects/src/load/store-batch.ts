import type pg from 'pg';
import { type BulkState, insertChanges, insertMany, type KnownState, knownStates, replaceMany } from '../store/bulk.js';
import { registerHandles } from '../store/handles.js';
import { lockSourceAlone } from '../store/locks.js';
import { currentSerial, takeSerials } from '../store/serials.js';
import type { LoadedObject } from './read-object.js';
import { inTransactionOn } from './transaction.js';

/** What became of a batch. */
export interface BatchResult {
  readonly created: number;
  readonly modified: number;
  readonly unchanged: number;
  /** The serial at which the source holds nothing but what this load has stored; undefined when it holds more. */
  readonly aloneAt: bigint | undefined;
}

/** Where and how batches are stored. */
export interface BatchTarget {
  readonly client: pg.ClientBase;
  readonly sourceId: number;
  readonly clock: () => Date;
  readonly dryRun: boolean;
}

/**
 * Stores a batch in one transaction, in which nobody else writes to the source. `aloneAt` is what the batch before it
 * returned: if the source is still at that serial, it holds none of the keys and need not be asked.
 */
export async function storeBatch(
  target: BatchTarget,
  objects: readonly LoadedObject[],
  aloneAt: bigint | undefined,
): Promise<BatchResult> {
  const { client, sourceId } = target;
  if (target.dryRun) return plannedResult(await plan(client, sourceId, objects, aloneAt));
  return inTransactionOn(client, async () => {
    await lockSourceAlone(client, sourceId);
    const planned = await plan(client, sourceId, objects, aloneAt);
    const changing = [...planned.fresh, ...planned.changed];
    if (changing.length === 0) return plannedResult(planned);
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
    await insertMany(client, sourceId, states.slice(0, planned.fresh.length));
    await replaceMany(client, sourceId, states.slice(planned.fresh.length));
    await insertChanges(client, sourceId, states, instant);
    await registerHandles(client, sourceId, [...states, ...namedCertificates(states)]);
    return { ...plannedResult(planned), aloneAt: planned.alone ? BigInt(first + states.length - 1) : undefined };
  });
}

/** Numbers of certificates that mntners name are never given to others, whether the certificates are there or not. */
function namedCertificates(states: readonly BulkState[]): { type: 'key-cert'; key: string }[] {
  const prefix = 'key-cert:';
  return states
    .filter(({ type }) => type === 'mntner' || type === 'irt')
    .flatMap(({ references }) => references.filter((reference) => reference.startsWith(`${prefix}x509-`)))
    .map((reference) => ({ type: 'key-cert', key: reference.slice(prefix.length) }));
}

interface Planned {
  readonly object: LoadedObject;
  readonly known: KnownState | undefined;
}

interface Plan {
  /** Keys that never existed. */
  readonly fresh: readonly Planned[];
  /** Keys whose objects are different or deleted. */
  readonly changed: readonly Planned[];
  readonly unchanged: number;
  /** Whether the source holds nothing but what this load has stored. */
  readonly alone: boolean;
  readonly serial: bigint;
}

async function plan(
  client: pg.ClientBase,
  sourceId: number,
  objects: readonly LoadedObject[],
  aloneAt: bigint | undefined,
): Promise<Plan> {
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
  const planned = objects.map((object, index) => ({ object, known: known[index] }));
  const fresh = planned.filter((one) => one.known === undefined);
  const changed = planned.filter((one) => one.known?.deleted || (one.known && one.known.text !== one.object.text));
  return { fresh, changed, unchanged: objects.length - fresh.length - changed.length, alone: false, serial };
}

function plannedResult({ fresh, changed, unchanged, alone, serial }: Plan): BatchResult {
  const modified = changed.filter(({ known }) => !known!.deleted).length;
  return {
    created: fresh.length + changed.length - modified,
    modified,
    unchanged,
    aloneAt: alone ? serial : undefined,
  };
}
