import type { StoredChange } from './changes.js';
import { type OperationCode, operations } from './operations.js';
import type { Db } from './stored-object.js';
import { typeCodes } from './type-codes.js';

/** The state of an object before a change. */
export interface PreviousState {
  /** The operation that stored it. */
  readonly operation: OperationCode;
  /** Absent when it is larger than `longestText`, or erased. */
  readonly text: string | undefined;
}

/** Bytes. A page of changes may have 500 previous states, which its limit on text does not count. */
const longestText = 16 * 1024;

interface PreviousRow {
  position: bigint;
  operation: OperationCode;
  text: string | null;
}

/** The states before those changes of a source that stored another state of an object: one statement. */
export async function previousStates(
  db: Db,
  sourceId: number,
  changes: readonly StoredChange[],
): Promise<ReadonlyMap<StoredChange, PreviousState>> {
  const requested = changes.filter(
    (change) => change.operation === operations.update && change.stored.revision > 1 && !isOfTags(change),
  );
  if (requested.length === 0) return new Map();
  const { rows } = await db.query<PreviousRow>({
    name: 'previous-states',
    text: `select asked.position, v.operation, case when octet_length(v.text) between 1 and ${longestText} then v.text end as text
           from unnest($2::smallint[], $3::text[], $4::integer[]) with ordinality asked (type, key, revision, position)
           cross join lateral (
             select operation, text from version
             where source_id = $1 and type = asked.type and key = asked.key and revision < asked.revision
             order by revision desc limit 1
           ) v`,
    values: [
      sourceId,
      requested.map(({ stored }) => typeCodes[stored.type]),
      requested.map(({ stored }) => stored.key),
      requested.map(({ stored }) => stored.revision),
    ],
  });
  return new Map(
    rows.map(({ position, operation, text }) => [
      requested[Number(position) - 1]!,
      { operation, text: text ?? undefined },
    ]),
  );
}

/** Whether a change modified only the tags of an object: the state that it announces is older. */
export function isOfTags({ serial, stored }: StoredChange): boolean {
  return stored.serial !== serial;
}
