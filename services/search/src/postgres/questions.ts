import { maximalBytes, maximalPage } from '../index-port.js';
import { objectColumns } from './rows.js';
import type { Tables } from './tables.js';

/** Around a range on the number line; `nearest` is the smallest range that contains it. */
export interface RangeQuestion {
  readonly kind: 'exact' | 'nearest' | 'all-less' | 'one-more' | 'all-more';
  readonly first: string;
  readonly last: string;
  /** Not a range that equals the requested one; with `nearest` only. */
  readonly strict: boolean;
  readonly origin: string | null;
  /** The last range of the page before, and its last object. */
  readonly after_first?: string | null;
  readonly after_last?: string | null;
  readonly after_key?: string | null;
}

/** Stored terms; those of several types may be mixed, because they name their types. */
export interface TermQuestion {
  readonly kind: 'terms';
  /** An object needs one of these terms. */
  readonly single: readonly string[];
  /** Or all terms of one of these lists, at most `maxLists`. */
  readonly lists: readonly (readonly string[])[];
  /** In the order of the matches. */
  readonly types: readonly string[];
  /** Of these the matches come in the order of addresses, of the others in that of keys. */
  readonly by_address: readonly string[];
  /** Finds nothing unless one of these objects exists; null for no such condition. */
  readonly target_types: readonly string[] | null;
  readonly target_keys: readonly string[] | null;
}

/** A question that a statement answers together with others; names and types of fields are those of `asked` in SQL. */
export type Question = RangeQuestion | TermQuestion;

export type Kind = Question['kind'];

/** Maximum number of lists of required terms of a question. */
export const maxLists = 4;

/** Bounds of a statement: matches of each question by terms, and matches with texts of all questions. */
export interface Bounds {
  readonly matches: number;
  readonly texts: number;
}

/** The parameters of `textOf`. */
export function valuesOf(questions: readonly Question[], { matches, texts }: Bounds): unknown[] {
  const asked = Object.groupBy(
    questions.map((question, item) => ({ item, ...recordOf(question) })),
    ({ kind }) => kind,
  );
  return [JSON.stringify({ ...asked, matches, texts })];
}

function recordOf(question: Question): Question {
  if (question.kind !== 'terms') return question;
  return { ...question, ...Object.fromEntries(question.lists.map((list, at) => [`list${at}`, list])) };
}

/**
 * The matches of each question (column `item`), in its order: up to a page of a question about a range, as many as the
 * bounds allow of one by terms. Texts are null where they are large, and from where all of them have `maximalBytes`.
 */
export function textOf(kinds: readonly Kind[], tables: Tables): string {
  const order = 'order by d.item, d.rank, d.first, d.last desc, d.key';
  return `
    select d.item, d.type, d.key, case when sum(d.size) filter (where d.text is not null) over place <= ${maximalBytes}
        and row_number() over place <= (select ($1::jsonb -> 'texts')::integer) then d.text end as text,
      d.revision, d.serial, d.created, d.modified, d.tags, d.first, d.last
    from (${kinds.map((kind) => branches[kind](tables)).join(' union all ')}) d
    window place as (${order} rows unbounded preceding)
    ${order}`;
}

const columns = `${objectColumns}, d.size, d.first, d.last`;
const spans = "d.first is not null and numrange(d.first, d.last, '[]')";
/** The stored range of `d` contains that of `asked`. */
export const containing = `${spans} @> numrange(asked.first, asked.last, '[]')`;
const equal = 'd.first = asked.first and d.last = asked.last';
const address = 'd.first, d.last desc, d.key';
/** Objects of the requested origin, after the cursor. */
const wanted = `(asked.origin is null or d.origin = asked.origin) and (asked.after_first is null
  or (d.first, -d.last, d.key) > (asked.after_first, -asked.after_last, asked.after_key))`;

const branches: Record<Kind, (tables: Tables) => string> = {
  exact: rangeBranch('exact', ({ document }) => {
    return `select ${columns} from ${document} d where ${equal} and ${wanted} order by ${address} limit ${maximalPage}`;
  }),
  nearest: rangeBranch('nearest', nearest),
  // Few ranges contain a range: find them first and sort them, instead of scanning in order.
  'all-less': rangeBranch('all-less', ({ document }) => {
    return `select * from (select ${columns} from ${document} d where ${containing} and ${wanted} offset 0) d
      order by ${address} limit ${maximalPage}`;
  }),
  'one-more': rangeBranch('one-more', firstLevel),
  'all-more': rangeBranch('all-more', ({ document }) => {
    return `select ${columns} from ${document} d
      where d.first between greatest(asked.first, asked.after_first) and asked.last and d.last <= asked.last
        and not (${equal}) and ${wanted}
      order by ${address} limit ${maximalPage}`;
  }),
  terms: byTerms,
};

function rangeBranch(kind: Kind, matches: (tables: Tables) => string): (tables: Tables) => string {
  return (tables) => `
    select asked.item, 0 as rank, d.*
    from jsonb_to_recordset((select $1::jsonb) -> '${kind}') as asked (item integer, first numeric, last numeric,
      strict boolean, origin text collate "C", after_first numeric, after_last numeric, after_key text collate "C"),
    lateral (${matches(tables)}) d`;
}

/**
 * Stored ranges are disjoint, equal or nested. So of those that contain a range, the smallest one starts last. And the
 * last one that starts at or before a range is the smallest around it if it contains it. A B-tree finds that one faster
 * than GiST, which finds the others. `offset 0` makes the planner find the few ranges that contain it instead of
 * scanning the addresses backwards.
 */
function nearest({ document }: Tables): string {
  return `select ${columns} from (
      select first, last from (
        (select first, last from (
          select d.first, d.last from ${document} d where d.first <= asked.first and not asked.strict
          order by d.first desc, d.last limit 1
        ) before where last >= asked.last)
        union all
        (select first, last from (
          select d.first, d.last from ${document} d where ${containing} and not (asked.strict and ${equal}) offset 0
        ) enclosing order by first desc, last limit 1)
      ) either limit 1
    ) enclosing join ${document} d on d.first = enclosing.first and d.last = enclosing.last
    where ${wanted} order by ${address} limit ${maximalPage}`;
}

/**
 * First-level more specifics: steps from one top range to the next, over everything inside it, up to a page of top
 * ranges. A top range without a wanted object gets a row too, from which the next page can continue.
 */
function firstLevel({ document }: Tables): string {
  const inside = `d.last <= asked.last and not (${equal}) order by d.first, d.last desc limit 1`;
  return `with recursive top as (
      (select d.first, d.last from ${document} d
        where d.first between greatest(asked.first, asked.after_first) and asked.last and ${inside})
      union all
      select next.first, next.last from top, lateral (
        select d.first, d.last from ${document} d where d.first > top.last and d.first <= asked.last and ${inside}
      ) next
    )
    select ${objectColumns}, d.size, top.first, top.last from (select first, last from top limit ${maximalPage}) top
    left join ${document} d on d.first = top.first and d.last = top.last and ${wanted}
    order by top.first, top.last desc, d.key limit ${maximalPage}`;
}

/** The index of terms finds all matches of a question before the first one is read. */
function byTerms({ document }: Tables): string {
  const lists = Array.from({ length: maxLists }, (_, at) => `list${at}`);
  return `
    select asked.item, array_position(asked.types, d.type) as rank, ${objectColumns}, d.size,
      case when d.type = any (asked.by_address) then d.first end as first,
      case when d.type = any (asked.by_address) then d.last end as last
    from jsonb_to_recordset((select $1::jsonb) -> 'terms') as asked (item integer,
      single bigint[], ${lists.map((list) => `${list} bigint[]`).join()},
      types text[] collate "C", by_address text[] collate "C", target_types text[], target_keys text[]),
    lateral (
      select d.* from ${document} d
      where (d.terms && asked.single ${lists.map((list) => `or d.terms @> asked.${list}`).join(' ')})
        and (asked.target_types is null or exists (select from ${document} target
          where (target.type, target.key) in (select * from unnest(asked.target_types, asked.target_keys))))
      limit (select ($1::jsonb -> 'matches')::integer)
    ) d`;
}
