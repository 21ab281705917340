import { printObject } from '@cadastre/rpsl';
import type { Decision } from '../domain/decide.js';
import { takeSerials } from '../store/serials.js';
import type { Source } from '../store/sources.js';
import type { Db, StoredObject } from '../store/stored-object.js';
import { createObject, deleteObject, updateObject } from '../store/writes.js';

/** A granted change, ready to be stored. */
export interface Plan {
  readonly decision: Decision;
  readonly key: string;
  /** What is stored under the key, perhaps as deleted. */
  readonly row: StoredObject | undefined;
  readonly reason: string;
}

/** Stores the changes with consecutive serials; one that changes nothing takes none. The last step of a transaction. */
export async function persist(db: Db, source: Source, plans: readonly Plan[], now: Date): Promise<StoredObject[]> {
  const count = plans.filter(({ decision }) => decision.outcome !== 'unchanged').length;
  let serial = count > 0 ? await takeSerials(db, source.id, count) : 0n;
  const stored: StoredObject[] = [];
  for (const plan of plans) {
    stored.push(await persistOne(db, source, plan, now, serial));
    serial += plan.decision.outcome === 'unchanged' ? 0n : 1n;
  }
  return stored;
}

/** The states as they would be stored, for a dry run. */
export function foresee(source: Source, plan: Plan, now: Date): StoredObject {
  const { decision, row } = plan;
  if (decision.outcome === 'unchanged') {
    return row!;
  }
  return {
    sourceId: source.id,
    type: decision.object.type,
    key: plan.key,
    revision: (row?.revision ?? 0) + 1,
    serial: 0n,
    deleted: decision.outcome === 'deleted',
    created: decision.outcome === 'created' ? now : row?.created,
    modified: now,
    text: decision.outcome === 'deleted' ? row!.text : printObject(decision.object),
    tags: decision.outcome === 'modified' ? row!.tags : [],
  };
}

async function persistOne(db: Db, source: Source, plan: Plan, now: Date, serial: bigint): Promise<StoredObject> {
  const { decision, row, reason } = plan;
  const { object } = decision;
  const state = { object, text: printObject(object), instant: now, serial };
  switch (decision.outcome) {
    case 'created':
      return createObject(db, { sourceId: source.id, type: object.type, key: plan.key }, row, {
        ...state,
        created: now,
      });
    case 'modified':
      return updateObject(db, row!, state);
    case 'deleted':
      return deleteObject(db, row!, { instant: now, reason, serial });
    default:
      return row!;
  }
}
