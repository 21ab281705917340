import type { Db } from './stored-object.js';
import { typeCodes } from './type-codes.js';

/** For each folded nic-hdl, whether it belongs to a person or a role; undefined when it does not exist. */
export async function contactTypes(
  db: Db,
  handles: readonly { readonly sourceId: number; readonly nicHdl: string }[],
): Promise<('person' | 'role' | undefined)[]> {
  if (handles.length === 0) return [];
  const nameOf = ({ sourceId, nicHdl }: (typeof handles)[number]) => `${sourceId} ${nicHdl}`;
  // Objects of one batch have many contacts in common.
  const wanted = [...new Map(handles.map((one) => [nameOf(one), one])).values()];
  const { rows } = await db.query<{ source_id: number; key: string; type: number }>({
    name: 'contact-types',
    text: `select o.source_id, o.key, o.type
           from unnest($1::smallint[], $2::text[]) as wanted (source_id, key)
           cross join (values (${typeCodes.person}::smallint), (${typeCodes.role}::smallint)) as kind (type)
           join object o on o.source_id = wanted.source_id and o.type = kind.type
             and o.key = wanted.key collate "C" and not o.deleted`,
    values: [wanted.map((one) => one.sourceId), wanted.map((one) => one.nicHdl)],
  });
  const types = new Map(
    rows.map(({ source_id: sourceId, key: nicHdl, type }) => [
      nameOf({ sourceId, nicHdl }),
      type === typeCodes.person ? ('person' as const) : ('role' as const),
    ]),
  );
  return handles.map((one) => types.get(nameOf(one)));
}
