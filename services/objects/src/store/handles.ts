import type { ObjectTypeName } from '@cadastre/rpsl';
import { type HandleKind, type HandleParts, handleParts } from './handle-names.js';
import type { Db } from './stored-object.js';

// Numbers are handed out under the lock of their stem's row, until the transaction ends: a refused write takes none.

/** The lowest nic-hdl (from 1) that was never taken, for example "JS1-TEST" for "JS" and "TEST". */
export async function allocateNicHandle(db: Db, sourceId: number, initials: string, suffix: string): Promise<string> {
  const stem = `${initials}-${suffix}`.toLowerCase();
  const number = await takeNumber(db, sourceId, 'nic-hdl', stem, "lower('{[1,)}'::int4multirange - h.taken)");
  return `${initials}${number}-${suffix}`.toUpperCase();
}

/** The organisation key after the highest that was ever taken, for example "ORG-EX1-TEST" for "EX" and "TEST". */
export async function allocateOrganisation(
  db: Db,
  sourceId: number,
  initials: string,
  suffix: string,
): Promise<string> {
  const stem = `${initials}-${suffix}`.toLowerCase();
  const number = await takeNumber(db, sourceId, 'organisation', stem, 'coalesce(upper(h.taken), 1)');
  return `ORG-${initials}${number}-${suffix}`.toUpperCase();
}

/** The X.509 key-cert name after the highest that was ever taken, for example "X509-1". */
export async function allocateX509(db: Db, sourceId: number): Promise<string> {
  return `X509-${await takeNumber(db, sourceId, 'x509', '', 'coalesce(upper(h.taken), 1)')}`;
}

/** Takes the number that `next` computes from the stem's row `h`, and tells it. */
async function takeNumber(db: Db, sourceId: number, kind: HandleKind, stem: string, next: string): Promise<number> {
  const number = await askStem<number>(db, sourceId, { kind, stem }, next);
  await db.query(
    `update handle set taken = taken + int4multirange(int4range($4, $4 + 1))
     where source_id = $1 and kind = $2 and stem = $3`,
    [sourceId, kind, stem, number],
  );
  return number;
}

/**
 * Whether an object ever bore this (folded) key. The answer holds until the transaction ends: nobody else takes a
 * handle of this stem before. Only handles that are counted: see `handleParts`.
 */
export async function isHandleTaken(db: Db, sourceId: number, type: ObjectTypeName, key: string): Promise<boolean> {
  const parts = handleParts(type, key);
  return parts !== undefined && askStem<boolean>(db, sourceId, parts, 'h.taken @> $4::int', [parts.number]);
}

/** The value of an expression over the row `h` of a stem, which is made if need be and stays locked. */
async function askStem<T>(
  db: Db,
  sourceId: number,
  { kind, stem }: Pick<HandleParts, 'kind' | 'stem'>,
  expression: string,
  parameters: readonly unknown[] = [],
): Promise<T> {
  const id = [sourceId, kind, stem];
  await db.query(
    `insert into handle (source_id, kind, stem, taken) values ($1, $2, $3, '{}') on conflict do nothing`,
    id,
  );
  const { rows } = await db.query<{ value: T }>(
    `select ${expression} as value from handle h where source_id = $1 and kind = $2 and stem = $3 for update`,
    [...id, ...parameters],
  );
  return rows[0]!.value;
}

/** Marks the handles among these keys as taken for ever; those that are already stay so. */
export async function registerHandles(
  db: Db,
  sourceId: number,
  keys: readonly { readonly type: ObjectTypeName; readonly key: string }[],
): Promise<void> {
  const handles = keys.map((one) => handleParts(one.type, one.key)).filter((parts) => parts !== undefined);
  if (handles.length === 0) return;
  await db.query(
    `insert into handle as h (source_id, kind, stem, taken)
     select $1, kind, stem, range_agg(int4range(number, number + 1))
     from unnest($2::text[], $3::text[], $4::int[]) as given (kind, stem, number)
     group by kind, stem order by kind, stem
     on conflict (source_id, kind, stem) do update set taken = h.taken + excluded.taken
     where not h.taken @> excluded.taken`,
    [sourceId, handles.map((h) => h.kind), handles.map((h) => h.stem), handles.map((h) => h.number)],
  );
}
