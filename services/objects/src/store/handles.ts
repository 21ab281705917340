import type { ObjectTypeName } from '@cadastre/rpsl';
import { columnsOf, type Db } from './stored-object.js';

/** How the next numbers of a stem follow from its row `h`, where `taken` are all numbers that were ever used. */
interface NextNumbers {
  readonly name: string;
  /** The first free number from $5 on, and the next one that is not free; null when all later ones are free. */
  readonly expression: string;
}

const lowest: NextNumbers = {
  name: 'lowest',
  expression: `(
    select array[lower(free), upper(free)] from unnest(int4multirange(int4range($5::integer, null)) - h.taken) as free limit 1
  )`,
};
const afterHighest: NextNumbers = {
  name: 'after-highest',
  expression: 'array[greatest($5::integer, coalesce(upper(h.taken), 1)), null]',
};

/** The numbers of handles that the writes of this process are going to use, so that each chooses another one. */
export type TakenNumbers = ReturnType<typeof createTakenNumbers>;

export interface HeldNumbers {
  /** Reserves the lowest of these free numbers that no other write has; undefined when others have all. */
  takeOf(stem: Stem, from: number, before: number): number | undefined;
  /** Reserves a number that the write submits, which another write may submit as well. */
  add(handle: HandleParts): void;
  /** Called when the write has ended. */
  release(): void;
}

export function createTakenNumbers() {
  /** The number of writes that have each number. */
  const writes = new Map<string, number>();
  const nameOf = ({ kind, stem }: Stem, number: number) => `${kind} ${stem} ${number}`;
  return {
    /** The numbers of one write. */
    hold(): HeldNumbers {
      const held: string[] = [];
      let isReleased = false;
      const take = (name: string) => {
        if (isReleased) return;
        held.push(name);
        writes.set(name, (writes.get(name) ?? 0) + 1);
      };
      return {
        takeOf(stem, from, before) {
          let number = from;
          while (writes.has(nameOf(stem, number))) number++;
          if (number >= before) return undefined;
          take(nameOf(stem, number));
          return number;
        },
        add: (handle) => take(nameOf(handle, handle.number)),
        release() {
          isReleased = true;
          for (const name of held.splice(0)) {
            const left = writes.get(name)! - 1;
            if (left === 0) writes.delete(name);
            else writes.set(name, left);
          }
        },
      };
    },
  };
}

/** Assigns handles of a source to one write, which stores them with its objects. */
export interface Handles {
  /** Reserves the next number of a stem. */
  take(stem: Stem, next: NextNumbers): Promise<number>;
  /** Whether this handle was never used; then this write has it. */
  reserve(handle: HandleParts): Promise<boolean>;
  /** The reserved handles. */
  readonly given: readonly HandleParts[];
}

/**
 * Assigns a handle to a new object: the lowest nic-hdl (from 1) that was never used, for example "JS1-TEST" for "JS"
 * and "TEST", or the organisation ("ORG-EX1-TEST") or X.509 key-cert ("X509-1") after the highest ever used.
 */
export async function allocateHandle(
  handles: Handles,
  kind: HandleKind,
  initials: string,
  suffix: string,
): Promise<string> {
  const number = await handles.take(
    { kind, stem: kind === 'x509' ? '' : `${initials}-${suffix}`.toLowerCase() },
    kind === 'nic-hdl' ? lowest : afterHighest,
  );
  if (kind === 'x509') return `X509-${number}`;
  return `${kind === 'organisation' ? 'ORG-' : ''}${initials}${number}-${suffix}`.toUpperCase();
}

/** Reserves a (folded) key; false when an object ever had it. Keys without a number (`handleParts`) are always free. */
export async function reserveHandle(handles: Handles, type: ObjectTypeName, key: string): Promise<boolean> {
  const parts = handleParts(type, key);
  return parts === undefined || handles.reserve(parts);
}

/** A handle of a source. */
export interface SourceHandle extends HandleParts {
  readonly sourceId: number;
}

/** Whether handles were ever used. */
export async function areTaken(db: Db, handles: readonly SourceHandle[]): Promise<boolean[]> {
  const { rows } = await db.query<{ taken: boolean }>({
    name: 'handles-are-taken',
    text: `select exists (
             select from handle h
             where h.source_id = one.source_id and h.kind = one.kind and h.stem = one.stem and h.taken @> one.number
           ) as taken
           from unnest($1::smallint[], $2::text[], $3::text[], $4::integer[]) with ordinality
             as one (source_id, kind, stem, number, position)
           order by one.position`,
    values: columnsOf(handles, 'sourceId', 'kind', 'stem', 'number'),
  });
  return rows.map(({ taken }) => taken);
}

/** The handles of a write; by default of one that only predicts them. */
export function handlesOf(
  db: Db,
  sourceId: number,
  held: HeldNumbers = createTakenNumbers().hold(),
  isTaken: (handle: SourceHandle) => Promise<boolean> = async (handle) => (await areTaken(db, [handle]))[0]!,
): Handles {
  const given: HandleParts[] = [];
  const numbersOf = ({ kind, stem }: Stem) =>
    given.filter((one) => one.kind === kind && one.stem === stem).map(({ number }) => number);
  const free = async (stem: Stem, { name, expression }: NextNumbers, from: number) => {
    const numbers = numbersOf(stem).map((number) => `[${number},${number}]`);
    const { rows } = await db.query<{ value: [number, number | null] }>({
      name: `handle-${name}`,
      text: `select ${expression} as value from (
               select coalesce(
                 (select taken from handle where source_id = $1 and kind = $2 and stem = $3), '{}'
               ) + $4::int4multirange as taken
             ) h`,
      values: [sourceId, stem.kind, stem.stem, `{${numbers.join()}}`, from],
    });
    return rows[0]!.value;
  };
  return {
    given,
    async take(stem, next) {
      for (let from = 1; ; ) {
        const [first, before] = await free(stem, next, from);
        const number = held.takeOf(stem, first, before ?? Number.POSITIVE_INFINITY);
        if (number !== undefined) {
          given.push({ ...stem, number });
          return number;
        }
        from = before!;
      }
    },
    async reserve(handle) {
      if (numbersOf(handle).includes(handle.number) || (await isTaken({ sourceId, ...handle }))) return false;
      held.add(handle);
      given.push(handle);
      return true;
    },
  };
}

/** Marks handles as used forever; ignores those that already are. */
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

type HandleKind = 'nic-hdl' | 'organisation' | 'x509';

/** The common part of numbered handles. */
export type Stem = Pick<HandleParts, 'kind' | 'stem'>;

/** A handle in its parts: "JS1-TEST" is number 1 of the stem "js-test". */
export interface HandleParts {
  readonly kind: HandleKind;
  /** Initials and suffix, folded. */
  readonly stem: string;
  readonly number: number;
}

const forms: { readonly [type in ObjectTypeName]?: { readonly kind: HandleKind; readonly form: RegExp } } = {
  person: { kind: 'nic-hdl', form: /^([a-z]{1,4})(\d{0,9})(-[a-z0-9-]+)?$/ },
  role: { kind: 'nic-hdl', form: /^([a-z]{1,4})(\d{0,9})(-[a-z0-9-]+)?$/ },
  organisation: { kind: 'organisation', form: /^org-([a-z]{2,4})(\d{1,9})(-[a-z0-9-]+)?$/ },
  'key-cert': { kind: 'x509', form: /^x509-()(\d{1,9})()$/ },
};

/** The parts of a folded key, if its type has numbered handles and it has that form. */
export function handleParts(type: ObjectTypeName, key: string): HandleParts | undefined {
  const known = forms[type];
  const match = known?.form.exec(key);
  if (!known || !match) return undefined;
  return { kind: known.kind, stem: `${match[1]}${match[3] ?? ''}`, number: Number(match[2]) };
}
