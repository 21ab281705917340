import type { ObjectTypeName } from '@cadastre/rpsl';
import { type Db, pageLimits } from './stored-object.js';
import { typeCodes, typeOfCode } from './type-codes.js';

/** The identity of an object of a source. */
export interface TypedKey {
  readonly type: ObjectTypeName;
  /** The folded key. */
  readonly key: string;
}

/** The first objects that name or named a key, from a place on. */
export interface NamingKeys {
  /** In the order of the types that were asked for, then by key. */
  readonly keys: readonly TypedKey[];
  /** Where the others begin; undefined when there are none. */
  readonly next: TypedKey | undefined;
}

export interface NamingQuery {
  /** One of these is in the index of references. */
  readonly hashes: readonly bigint[];
  readonly types: readonly ObjectTypeName[];
  readonly from: TypedKey | undefined;
}

/** Up to this many referrers, of all types, are read together; otherwise keys are read in their order. */
const fewReferrers = 20_000;

/** How many keys one statement looks at then. */
const keysAtOnce = 10_000;

/**
 * The index of references has no order. So it reads all referrers if there are few, and else looks at the next keys of
 * the source, of which many refer: perhaps none of these.
 */
export async function keysThatNamed(db: Db, sourceId: number, query: NamingQuery): Promise<NamingKeys> {
  const few = await fewThatNamed(db, sourceId, query.hashes);
  if (few === undefined) return nextThatNamed(db, sourceId, query);
  const { types, from } = query;
  const rank = ({ type }: TypedKey) => types.indexOf(type);
  const start = from === undefined ? 0 : rank(from);
  const keys = few
    .filter((one) => rank(one) > start || (rank(one) === start && one.key >= (from?.key ?? '')))
    .sort((a, b) => rank(a) - rank(b) || (a.key < b.key ? -1 : 1));
  return { keys, next: undefined };
}

/** All that name or named it, in no order; undefined when there are too many. */
async function fewThatNamed(db: Db, sourceId: number, hashes: readonly bigint[]): Promise<TypedKey[] | undefined> {
  const { rows } = await db.query<{ types: number[] | null; keys: string[] | null; isTooMany: boolean }>({
    name: 'few-that-named',
    // Planned as if all were needed, as in `find-referrers`.
    text: `with o as materialized (
             select type, key from object where source_id = $1 and refs && $2::bigint[] and not deleted
           ), former as materialized (
             select type, key from former_reference where source_id = $1 and hash = any($2::bigint[])
           ), few as materialized (
             (select type, key from o limit $3) union (select type, key from former limit $3) limit $3
           )
           select count(*) = $3 as "isTooMany", case when count(*) < $3 then array_agg(type) end as types,
             case when count(*) < $3 then array_agg(key) end as keys
           from few`,
    values: [sourceId, hashes, fewReferrers + 1],
  });
  const { types, keys, isTooMany } = rows[0]!;
  if (isTooMany) return undefined;
  return (keys ?? []).map((key, at) => ({ type: typeOfCode(types![at]!), key }));
}

/** Those among the next keys of a type, at most a page of them. */
async function nextThatNamed(db: Db, sourceId: number, { hashes, types, from }: NamingQuery): Promise<NamingKeys> {
  const type = from?.type ?? types[0]!;
  const { rows } = await db.query<{ key: string | null; end: string | null }>({
    name: 'next-that-named',
    text: `with looked as materialized (
             select (
               select key from object where source_id = $1 and type = $2 and key >= $3 collate "C"
               order by key offset ${keysAtOnce} limit 1
             ) as end
           )
           select looked.end, named.key
           from looked left join lateral (
             (
               select key from (
                 select key, refs from object where source_id = $1 and type = $2 and key >= $3 collate "C"
                 order by key limit ${keysAtOnce}
               ) o
               where refs && $4::bigint[] order by key limit ${pageLimits.objects}
             ) union (
               select key from former_reference
               where source_id = $1 and hash = any($4::bigint[]) and type = $2 and key >= $3 collate "C"
                 and key < coalesce(looked.end, U&'\\+10FFFF')
               order by key limit ${pageLimits.objects}
             )
             order by key limit ${pageLimits.objects}
           ) named on true
           order by named.key`,
    values: [sourceId, typeCodes[type], from?.key ?? '', hashes],
  });
  const keys = rows.flatMap(({ key }) => (key === null ? [] : [{ type, key }]));
  if (keys.length === pageLimits.objects) return { keys, next: { type, key: keyAfter(keys.at(-1)!.key) } };
  const { end } = rows[0]!;
  return { keys, next: end === null ? startOf(types[types.indexOf(type) + 1]) : { type, key: end } };
}

function startOf(type: ObjectTypeName | undefined): TypedKey | undefined {
  return type && { type, key: '' };
}

/** The first text after a key. */
function keyAfter(key: string): string {
  return `${key}\u0001`;
}
