import type { SQLInputValue } from 'node:sqlite';
import type { ObjectTypeName } from '@cadastre/rpsl';
import { maximalPage, type QueryPosition, type TypeQuery } from '../index-port.js';
import { orderOfTerm, termHash, termInOrder } from './documents.js';
import {
  beginning,
  cut,
  type Found,
  lastCharacter,
  type Match,
  type Order,
  type SortKey,
  type Start,
  sortKeyByAddress,
  sortKeyByKey,
  sortKeyOf,
} from './positions.js';
import { rangeMatches } from './range-matches.js';
import { limited, type Tables } from './tables.js';

/** The beginning of a query; undefined for its first match. */
export function startOf(query: TypeQuery): Start | undefined {
  const sortKey = beginning(orderOf(query), query.from as QueryPosition | undefined);
  return sortKey && { sortKey, isIncluded: true };
}

/** The order of the matches of a query. */
export function orderOf(query: TypeQuery): Order {
  if (query.kind === 'terms') return query.order;
  return query.kind === 'hosts' ? 'key' : 'address';
}

/** The next matches of a query, at most `limit`. */
export function matchesOf(tables: Tables, query: TypeQuery, start: Start | undefined, limit: number): Found {
  switch (query.kind) {
    case 'terms':
      return termMatches(tables, query, start, limit);
    case 'hosts':
      return cut(tables, 'key', hostMatches(tables, query.prefix, start, limit), limit);
    default:
      return rangeMatches(tables, query, start, limit);
  }
}

/** Whether a query may have to read much before it finds its first page: then it runs on another thread. */
export function readsMuch(tables: Tables, query: TypeQuery): boolean {
  if (query.kind === 'range') return query.origin !== undefined && ['one-more', 'all-more'].includes(query.mode);
  if (query.kind === 'covering') return false;
  const hosts = query.kind === 'hosts' ? query.prefix : query.hosts;
  if (hosts !== undefined && count(tables, hostsText, [hosts, hosts + lastCharacter]) > manyMatches) return true;
  if (query.kind === 'hosts') return false;
  const anyOf = storedTerms(query);
  const isForeign = anyOf.some((all) => all.some((term) => orderOfTerm(term) !== query.order));
  return anyOf.some((all) => (all.length > 1 || isForeign) && rarest(tables, query, all).count > manyMatches);
}

/** Maximum matches of one read, which takes a millisecond. */
const manyMatches = 500;

type TermQuery = Extract<TypeQuery, { kind: 'terms' }>;

/** The alternatives, by the terms that the table has in the order of the query. */
function storedTerms({ type, anyOf, order }: TermQuery): readonly (readonly string[])[] {
  return order === 'key' ? anyOf : anyOf.map((all) => all.map((term) => termInOrder(type, term, order)));
}

/** Merges the matches of the alternatives. */
function termMatches(tables: Tables, query: TermQuery, start: Start | undefined, limit: number): Found {
  const { order, hosts } = query;
  const anyOf = storedTerms(query);
  const [only] = anyOf;
  if (only !== undefined && anyOf.length === 1 && hosts === undefined) {
    return cut(tables, order, allTerms(tables, query, only, start, limit), limit);
  }
  const found = anyOf.map((all) => allTerms(tables, query, all, start, limit));
  if (hosts !== undefined) found.push(hostMatches(tables, hosts, start, limit));
  const [some = [], ...others] = found.filter((matches) => matches.length > 0);
  if (others.length === 0) return cut(tables, order, some, limit);
  const merged = [some, ...others]
    .flat()
    .map(({ id, sortKey }) => ({ id, sortKey: sortKeyOf(tables, order, { id, sortKey }) }))
    .sort((one, other) => Buffer.compare(one.sortKey, other.sortKey));
  return cut(
    tables,
    order,
    merged.filter(({ id }, at) => id !== merged[at - 1]?.id),
    limit,
  );
}

/** The next matches of several terms together: reads those of the rarest one. */
function allTerms(
  tables: Tables,
  query: TermQuery,
  all: readonly string[],
  start: Start | undefined,
  limit: number,
): Match[] {
  const [first] = all;
  if (first === undefined) return [];
  const { term, others } = all.length === 1 ? { term: first, others: [] } : rarest(tables, query, all);
  if ([term, ...others].some((one) => orderOfTerm(one) !== query.order)) {
    return sorted(tables, query, { term, others }, start, limit);
  }
  const conditions = others.map(() => has).join(' ');
  const { sortKey, isIncluded } = start ?? fromStart;
  const rows = tables.rows<[number]>(
    `select id from term where hash = ? and place ${isIncluded ? '>=' : '>'} ? ${conditions} order by place ${limited}`,
    termHash(query.type, term),
    sortKey,
    ...others.map((other) => termHash(query.type, other)),
    limit,
  );
  return rows.map(([id]) => ({ id }));
}

const fromStart: Start = { sortKey: Buffer.alloc(0), isIncluded: true };

/** The object of a row of `term` also has another term. */
const has = `and exists (select 1 from term other where other.hash = ? and other.id = term.id
  and other.place = term.place)`;

/** Objects of terms that the table does not have in the requested order. */
function sorted(
  tables: Tables,
  query: TermQuery,
  { term, others }: { readonly term: string; readonly others: readonly string[] },
  start: Start | undefined,
  limit: number,
): Match[] {
  return objectsWith(tables, query.type, term, others)
    .map(({ id, sortKeys }) => ({ id, sortKey: sortKeys[query.order] }))
    .filter((match): match is Required<Match> => match.sortKey !== undefined && isBehind(match.sortKey, start))
    .sort((one, other) => Buffer.compare(one.sortKey, other.sortKey))
    .slice(0, limit);
}

interface Sorted {
  readonly id: number;
  /** Undefined in the order of addresses without a range. */
  readonly sortKeys: Readonly<Record<Order, SortKey | undefined>>;
}

/** The objects that have a term and others, in no order. */
function objectsWith(tables: Tables, type: ObjectTypeName, term: string, others: readonly string[]): Sorted[] {
  const found: Sorted[] = [];
  const rows = tables.all<{ id: number; key: string; first: Uint8Array | null; last: Uint8Array | null }>(
    'select o.id, o.key, o.first, o.last from term join object o on o.id = term.id where hash = ?',
    termHash(type, term),
  );
  for (const { id, key, first, last } of rows) {
    const sortKeys = {
      key: sortKeyByKey(key),
      address: first && last ? sortKeyByAddress({ first, last }, key) : undefined,
    };
    const isStored = (other: string) =>
      tables.one(
        'select 1 from term where hash = ? and place = ? and id = ?',
        termHash(type, other),
        sortKeys[orderOfTerm(other)] ?? sortKeys.key,
        id,
      ) !== undefined;
    if (!others.every(isStored)) continue;
    found.push({ id, sortKeys });
  }
  return found;
}

function isBehind(sortKey: SortKey, start: Start | undefined): boolean {
  if (start === undefined) return true;
  const order = Buffer.compare(sortKey, start.sortKey);
  return start.isIncluded ? order >= 0 : order > 0;
}

/** The rarest of several terms, if counting is worthwhile, and the others. */
function rarest(tables: Tables, { type }: { readonly type: ObjectTypeName }, all: readonly string[]) {
  let best = { term: all[0]!, count: Number.POSITIVE_INFINITY };
  for (const term of all) {
    const found = count(tables, 'term where hash = ?', [termHash(type, term)]);
    if (found < best.count) best = { term, count: found };
    if (found === 0) break;
  }
  return { ...best, others: all.filter((term) => term !== best.term) };
}

/** Counts up to one more than `manyMatches`. */
function count(tables: Tables, from: string, values: SQLInputValue[]): number {
  const text = `select count(*) from (select 1 from ${from} limit ${manyMatches + 1})`;
  return tables.row<[number]>(text, ...values)![0];
}

const hostsText = 'host where host >= ? and host < ?';

/** Domains with a host that begins with the prefix, each once, in the order of their keys. */
function hostMatches(tables: Tables, prefix: string, start: Start | undefined, limit: number): Match[] {
  const { sortKey, isIncluded } = start ?? fromStart;
  const rows = tables.all<{ id: number; key: string }>(
    `select distinct key, id from ${hostsText} and key ${isIncluded ? '>=' : '>'} ? order by key ${limited}`,
    prefix,
    prefix + lastCharacter,
    Buffer.from(sortKey).toString(),
    limit,
  );
  return rows.map(({ id, key }) => ({ id, sortKey: sortKeyByKey(key) }));
}

/** Counts the matches of the alternatives, up to `max`. */
export function countMatches(
  tables: Tables,
  query: Extract<TypeQuery, { kind: 'terms' | 'hosts' }>,
  max: number,
): number {
  if (query.kind === 'terms' && query.anyOf.length === 1 && query.anyOf[0]!.length === 1 && query.hosts === undefined) {
    const [[term]] = query.anyOf as [[string]];
    const text = `select count(*) from (select 1 from term where hash = ? ${limited})`;
    return tables.row<[number]>(text, termHash(query.type, term), max)![0];
  }
  const ids = new Set<number>();
  for (const { id } of allMatches(tables, query, max)) {
    ids.add(id);
    if (ids.size >= max) break;
  }
  return ids.size;
}

const maxPortion = 10 * maximalPage;

/** All matches of a query, in its order, read in portions; a caller that wants few passes their number. */
export function* allMatches(tables: Tables, query: TypeQuery, wanted: number): Generator<Match> {
  const portion = Math.min(wanted, maxPortion);
  let found = matchesOf(tables, query, undefined, portion);
  yield* found.matches;
  while (found.next !== undefined) {
    found = matchesOf(tables, query, found.next, portion);
    yield* found.matches;
  }
}
