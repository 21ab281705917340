import type { Db } from './stored-object.js';
import { typeCodes } from './type-codes.js';

/** For each folded nic-hdl, whether it belongs to a person or a role; undefined when it does not exist. */
export async function contactTypes(
  db: Db,
  handles: readonly { readonly sourceId: number; readonly nicHdl: string }[],
): Promise<('person' | 'role' | undefined)[]> {
  const types = new Array<'person' | 'role' | undefined>(handles.length).fill(undefined);
  if (handles.length === 0) return types;
  const { rows } = await db.query<{ position: bigint; type: number }>({
    name: 'contact-types',
    text: `select wanted.position, o.type
           from unnest($1::smallint[], $2::text[]) with ordinality as wanted (source_id, key, position)
           cross join (values (${typeCodes.person}::smallint), (${typeCodes.role}::smallint)) as kind (type)
           join object o on o.source_id = wanted.source_id and o.type = kind.type
             and o.key = wanted.key collate "C" and not o.deleted`,
    values: [handles.map((one) => one.sourceId), handles.map((one) => one.nicHdl)],
  });
  for (const row of rows) types[Number(row.position) - 1] = row.type === typeCodes.person ? 'person' : 'role';
  return types;
}
