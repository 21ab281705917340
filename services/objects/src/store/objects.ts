import { typeCodes } from './codes.js';
import {
  columnsOf,
  type Db,
  idColumns,
  keyColumns,
  type ObjectId,
  type ObjectRow,
  objectColumns,
  objectColumnsWith,
  pageLimits,
  type StoredObject,
  storedObject,
} from './stored-object.js';

/**
 * Loads objects by key, in the order of `ids`; duplicates are allowed. Returns deleted ones with `deleted: true`, and
 * undefined for keys that never existed.
 */
export async function loadObjects(db: Db, ids: readonly ObjectId[]): Promise<(StoredObject | undefined)[]> {
  const found = new Array<StoredObject | undefined>(ids.length).fill(undefined);
  if (ids.length === 0) return found;
  const { rows } = await db.query<ObjectRow & { position: bigint }>({
    name: 'load-objects',
    text: `select wanted.position, ${objectColumns}
           from unnest($1::smallint[], $2::smallint[], $3::text[]) with ordinality as wanted (source_id, type, key, position)
           join object o on o.source_id = wanted.source_id and o.type = wanted.type and o.key = wanted.key collate "C"`,
    values: idColumns(ids),
  });
  for (const row of rows) found[Number(row.position) - 1] = storedObject(row);
  return found;
}

/** The objects with the ids of each of several callers, in their order; each row is loaded once. */
export async function loadObjectsOfEach(
  db: Db,
  requested: readonly (readonly ObjectId[])[],
): Promise<(StoredObject | undefined)[][]> {
  const nameOf = ({ sourceId, type, key }: ObjectId) => `${sourceId} ${type} ${key}`;
  const ids = new Map(requested.flat().map((id) => [nameOf(id), id]));
  const loaded = await loadObjects(db, [...ids.values()]);
  const found = new Map([...ids.keys()].map((name, at) => [name, loaded[at]]));
  return requested.map((one) => one.map((id) => found.get(nameOf(id))));
}

/** The keys of a source without an object, in the given order. */
export async function missingKeys<Key extends Omit<ObjectId, 'sourceId'>>(
  db: Db,
  sourceId: number,
  keys: readonly Key[],
): Promise<Key[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.query<{ position: bigint }>(
    `select wanted.position from unnest($2::smallint[], $3::text[]) with ordinality as wanted (type, key, position)
     where not exists (
       select from object o
       where o.source_id = $1 and o.type = wanted.type and o.key = wanted.key collate "C" and not o.deleted
     ) order by wanted.position`,
    [sourceId, ...keyColumns(keys)],
  );
  return rows.map(({ position }) => keys[Number(position) - 1]!);
}

/** Texts up to this size are read immediately; for larger ones the size is read first. */
export const smallBytes = 16 * 1024;

/**
 * Like `loadObjects`, but returns 'later' for objects that do not fit into `bytes` of text. Always loads the first
 * object, without counting it; large objects come after small ones.
 */
export async function loadWithin(
  db: Db,
  ids: readonly ObjectId[],
  bytes: number,
): Promise<(StoredObject | 'later' | undefined)[]> {
  const found = new Array<StoredObject | 'later' | undefined>(ids.length).fill(undefined);
  if (ids.length === 0) return found;
  const { rows } = await db.query<Omit<ObjectRow, 'text'> & { text: string | null; bytes: number; position: bigint }>({
    name: 'load-small-objects',
    text: `select wanted.position, octet_length(o.text) as bytes,
             ${objectColumnsWith(`case when octet_length(o.text) <= ${smallBytes} then o.text end`)}
           from unnest($1::smallint[], $2::smallint[], $3::text[]) with ordinality as wanted (source_id, type, key, position)
           join object o on o.source_id = wanted.source_id and o.type = wanted.type and o.key = wanted.key collate "C"`,
    values: idColumns(ids),
  });
  let left = bytes;
  const large: number[] = [];
  for (const [turn, row] of inTurn(rows).entries()) {
    const at = Number(row.position) - 1;
    const fits = turn === 0 || row.bytes <= left;
    if (turn > 0 && fits) left -= row.bytes;
    if (fits && row.text === null) large.push(at);
    else found[at] = fits ? storedObject(row as ObjectRow) : 'later';
  }
  const texts = await loadObjects(
    db,
    large.map((at) => ids[at]!),
  );
  for (const [index, at] of large.entries()) found[at] = texts[index];
  return found;
}

/** The small texts of one statement have at most 1 MiB together. */
const idsInPart = pageLimits.bytes / smallBytes;

/** Existing and deleted objects by key, in no particular order; holds 1 MiB of text or one object at a time. */
export async function* loadInParts(db: Db, ids: readonly ObjectId[]): AsyncGenerator<StoredObject> {
  for (let at = 0; at < ids.length; at += idsInPart) {
    for (let part = ids.slice(at, at + idsInPart); part.length > 0; ) {
      const loaded = await loadWithin(db, part, pageLimits.bytes);
      for (const one of loaded) if (one !== undefined && one !== 'later') yield one;
      part = part.filter((_, index) => loaded[index] === 'later');
    }
  }
}

/** The first one, then the small ones, then the large ones. */
function inTurn<R extends { text: string | null; position: bigint }>(rows: R[]): R[] {
  if (rows.every(({ text }) => text !== null)) return rows;
  const [first, ...others] = rows.sort((a, b) => Number(a.position - b.position));
  return [first!, ...others.filter(({ text }) => text !== null), ...others.filter(({ text }) => text === null)];
}

/**
 * At most `limit` mntners of all sources whose `auth: SSO` lines may name one of these accounts (by subject or name,
 * ignoring letter case), ordered by name. The caller must parse the lines.
 */
export async function findMntnersOf(db: Db, accounts: readonly string[], limit: number): Promise<StoredObject[]> {
  const { rows } = await db.query<ObjectRow>({
    name: 'find-mntners-of-account',
    text: `select ${objectColumns} from object o
           where o.type = ${typeCodes.mntner} and not o.deleted and sso_accounts(o.text) && $1::text[]
           order by o.key, o.source_id limit $2`,
    values: [accounts.map((account) => account.toLowerCase()), limit],
  });
  return rows.map(storedObject);
}

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
    values: columnsOf(wanted, 'sourceId', 'nicHdl'),
  });
  const types = new Map(
    rows.map(({ source_id: sourceId, key: nicHdl, type }) => [
      nameOf({ sourceId, nicHdl }),
      type === typeCodes.person ? ('person' as const) : ('role' as const),
    ]),
  );
  return handles.map((one) => types.get(nameOf(one)));
}
