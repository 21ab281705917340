import type { ObjectTypeName } from '@cadastre/rpsl';
import { type HandleKind, type HandleParts, handleParts, type Stem } from './handle-names.js';
import type { Db } from './stored-object.js';

/** How the next number of a stem follows from its row `h`, of which `taken` are the numbers that were ever used. */
interface NextNumber {
  readonly name: string;
  readonly expression: string;
}

const lowest: NextNumber = { name: 'lowest', expression: "lower('{[1,)}'::int4multirange - h.taken)" };
const afterHighest: NextNumber = { name: 'after-highest', expression: 'coalesce(upper(h.taken), 1)' };

/** Gives out the handles of a source to one write, which stores them with its objects. */
export interface Handles {
  /** Takes the next number of a stem. */
  take(stem: Stem, next: NextNumber): Promise<number>;
  /** Whether this handle was never used; then it is this write's. */
  reserve(handle: HandleParts): Promise<boolean>;
}

/** The stem of the handles of a kind with these initials and suffix; all numbers of X.509 key-certs have one. */
export function handleStem(kind: HandleKind, initials: string, suffix: string): Stem {
  return { kind, stem: kind === 'x509' ? '' : `${initials}-${suffix}`.toLowerCase() };
}

/**
 * Takes a handle for a new object: the lowest nic-hdl (from 1) that was never used, for example "JS1-TEST" for "JS" and
 * "TEST", or the organisation ("ORG-EX1-TEST") or X.509 key-cert ("X509-1") after the highest ever used.
 */
export async function allocateHandle(
  handles: Handles,
  kind: HandleKind,
  initials: string,
  suffix: string,
): Promise<string> {
  const number = await handles.take(handleStem(kind, initials, suffix), kind === 'nic-hdl' ? lowest : afterHighest);
  if (kind === 'x509') return `X509-${number}`;
  return `${kind === 'organisation' ? 'ORG-' : ''}${initials}${number}-${suffix}`.toUpperCase();
}

/** Takes a (folded) key; false when an object ever had it. Keys without a number (`handleParts`) are always free. */
export async function reserveHandle(handles: Handles, type: ObjectTypeName, key: string): Promise<boolean> {
  const parts = handleParts(type, key);
  return parts === undefined || handles.reserve(parts);
}

/**
 * The handles of a write. Until its transaction ends the caller holds the locks of their stems (`lockHandles`); a dry run
 * holds none, so that it only predicts.
 */
export function handlesOf(db: Db, sourceId: number): Handles {
  const given: HandleParts[] = [];
  const ask = async <T>(what: string, { kind, stem }: Stem, expression: string, more: unknown[]): Promise<T> => {
    const numbers = given.filter((one) => one.kind === kind && one.stem === stem).map(({ number }) => number);
    const { rows } = await db.query<{ value: T }>({
      name: `handle-${what}`,
      text: `select ${expression} as value from (
               select coalesce(
                 (select taken from handle where source_id = $1 and kind = $2 and stem = $3), '{}'
               ) + $4::int4multirange as taken
             ) h`,
      values: [sourceId, kind, stem, `{${numbers.map((number) => `[${number},${number}]`).join()}}`, ...more],
    });
    return rows[0]!.value;
  };
  return {
    async take(stem, { name, expression }) {
      const number = await ask<number>(name, stem, expression, []);
      given.push({ ...stem, number });
      return number;
    },
    async reserve(handle) {
      const isTaken = await ask<boolean>('is-taken', handle, 'h.taken @> $5::integer', [handle.number]);
      if (!isTaken) given.push(handle);
      return !isTaken;
    },
  };
}

/** Marks handles as used for ever; ignores those that already are. */
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
