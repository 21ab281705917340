import type { ObjectTypeName } from '@cadastre/rpsl';
import { type HandleParts, handleParts } from './handle-names.js';
import type { Db } from './stored-object.js';

type Stem = Pick<HandleParts, 'kind' | 'stem'>;

/**
 * Allocates the handles of a source. SQL expressions refer to the row `h` of a stem; its used numbers are `h.taken`.
 */
export interface Handles {
  /** Takes the number that an expression yields. */
  take(stem: Stem, next: string): Promise<number>;
  /** Takes this handle; false when it was used before. */
  reserve(handle: HandleParts): Promise<boolean>;
}

/** Takes the lowest nic-hdl (from 1) that was never used, for example "JS1-TEST" for "JS" and "TEST". */
export async function allocateNicHandle(handles: Handles, initials: string, suffix: string): Promise<string> {
  const stem = `${initials}-${suffix}`.toLowerCase();
  const number = await handles.take({ kind: 'nic-hdl', stem }, "lower('{[1,)}'::int4multirange - h.taken)");
  return `${initials}${number}-${suffix}`.toUpperCase();
}

/** Takes the organisation key after the highest ever used, for example "ORG-EX1-TEST" for "EX" and "TEST". */
export async function allocateOrganisation(handles: Handles, initials: string, suffix: string): Promise<string> {
  const stem = `${initials}-${suffix}`.toLowerCase();
  const number = await handles.take({ kind: 'organisation', stem }, afterHighest);
  return `ORG-${initials}${number}-${suffix}`.toUpperCase();
}

/** Takes the X.509 key-cert name after the highest ever used, for example "X509-1". */
export async function allocateX509(handles: Handles): Promise<string> {
  return `X509-${await handles.take({ kind: 'x509', stem: '' }, afterHighest)}`;
}

const afterHighest = 'coalesce(upper(h.taken), 1)';

/** Takes a (folded) key; false when an object ever had it. Keys without a number (`handleParts`) are always free. */
export async function reserveHandle(handles: Handles, type: ObjectTypeName, key: string): Promise<boolean> {
  const parts = handleParts(type, key);
  return parts === undefined || handles.reserve(parts);
}

/** Takes handles under a lock on their stem's row until the transaction ends; a rollback returns them. */
export function takenHandles(db: Db, sourceId: number): Handles {
  const ask = async <T>({ kind, stem }: Stem, expression: string): Promise<T> => {
    const id = [sourceId, kind, stem];
    await db.query(
      `insert into handle (source_id, kind, stem, taken) values ($1, $2, $3, '{}') on conflict do nothing`,
      id,
    );
    const { rows } = await db.query<{ value: T }>(
      `select ${expression} as value from handle h where source_id = $1 and kind = $2 and stem = $3 for update`,
      id,
    );
    return rows[0]!.value;
  };
  return handlesBy(ask, async ({ kind, stem, number }) => {
    await db.query(
      `update handle set taken = taken + int4multirange(int4range($4, $4 + 1))
       where source_id = $1 and kind = $2 and stem = $3`,
      [sourceId, kind, stem, number],
    );
  });
}

/** Predicts the handles that one write would take; neither locks nor writes. */
export function foreseenHandles(db: Db, sourceId: number): Handles {
  const foreseen: HandleParts[] = [];
  const ask = async <T>({ kind, stem }: Stem, expression: string): Promise<T> => {
    const numbers = foreseen.filter((one) => one.kind === kind && one.stem === stem).map(({ number }) => number);
    const { rows } = await db.query<{ value: T }>(
      `select ${expression} as value from (
         select coalesce(
           (select taken from handle where source_id = $1 and kind = $2 and stem = $3), '{}'
         ) + $4::int4multirange as taken
       ) h`,
      [sourceId, kind, stem, `{${numbers.map((number) => `[${number},${number}]`).join()}}`],
    );
    return rows[0]!.value;
  };
  return handlesBy(ask, async (handle) => void foreseen.push(handle));
}

function handlesBy(
  ask: <T>(stem: Stem, expression: string) => Promise<T>,
  keep: (handle: HandleParts) => Promise<void>,
): Handles {
  return {
    async take(stem, next) {
      const number = await ask<number>(stem, next);
      await keep({ ...stem, number });
      return number;
    },
    async reserve(handle) {
      const isTaken = await ask<boolean>(handle, `h.taken @> ${handle.number}`);
      if (!isTaken) await keep(handle);
      return !isTaken;
    },
  };
}

/** Marks the handles among these keys as used for ever; ignores those that already are. */
export async function registerHandles(
  db: Db,
  sourceId: number,
  keys: readonly { readonly type: ObjectTypeName; readonly key: string }[],
): Promise<void> {
  const handles = keys.map((one) => handleParts(one.type, one.key)).filter((parts) => parts !== undefined);
  await takeHandles(db, sourceId, handles);
}

/** The same for their parts. */
export async function takeHandles(db: Db, sourceId: number, handles: readonly HandleParts[]): Promise<void> {
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
