import type { ObjectTypeName } from '@cadastre/rpsl';
import { type IndexedObject, type Matches, maximalPage, type TypeQuery } from '../index-port.js';
import { storedTerm } from './documents.js';
import { loadInParts, objectsOf } from './load.js';
import { mergeByKey } from './merge-by-key.js';
import { spanOf } from './number-line.js';
import type { Reader, Statement } from './reader.js';
import { type ObjectRow, objectColumns } from './rows.js';

/**
 * Number of keys read ahead after the first page. A common term matches many objects, and finding them again for every
 * page would make long results slow: so keys come in larger portions, and only texts page by page.
 */
const portion = 5000;

type KeyedQuery = Extract<TypeQuery, { kind: 'terms' | 'hosts' }>;
type Row = ObjectRow & Cursor;

/** The end of a page, in the order of the query; or the first object of the result. */
interface Cursor {
  readonly key: string;
  readonly first?: string | null;
  readonly last?: string | null;
  readonly isIncluded?: boolean;
}

/**
 * Matches of terms or host names in one type, in pages. The planner chooses between finding all matches and scanning the
 * objects in their order, by how common the terms are.
 */
export async function keyedSearch(reader: Reader, source: string, query: KeyedQuery): Promise<Matches | undefined> {
  if (query.kind === 'terms' && query.hosts !== undefined) return termsAndHosts(reader, source, query);
  const first = await reader.rowsWithSerial<Row>(
    source,
    statementOf(query, `${objectColumns}, d.first, d.last`, maximalPage, beginningOf(query)),
  );
  return first && { serial: first.serial, pages: pagesFrom(reader, source, query, first.rows) };
}

async function termsAndHosts(
  reader: Reader,
  source: string,
  { hosts, ...byTerms }: Extract<KeyedQuery, { kind: 'terms' }>,
): Promise<Matches | undefined> {
  const { from } = byTerms;
  const [terms, other] = await Promise.all([
    keyedSearch(reader, source, byTerms),
    keyedSearch(reader, source, { kind: 'hosts', type: 'domain', prefix: hosts!, ...(from && { from }) }),
  ]);
  return terms && other && { serial: terms.serial, pages: mergeByKey(terms.pages, other.pages) };
}

async function* pagesFrom(
  reader: Reader,
  source: string,
  query: KeyedQuery,
  page: readonly Row[],
): AsyncGenerator<readonly IndexedObject[]> {
  yield* objectsOf(reader, source, page);
  let after: Cursor | undefined = page.length === maximalPage ? page.at(-1) : undefined;
  while (after !== undefined) {
    const ahead: Cursor[] = await reader.rows(source, statementOf(query, 'd.key, d.first, d.last', portion, after));
    yield* textsOf(reader, source, query.type, ahead);
    after = ahead.length === portion ? ahead.at(-1) : undefined;
  }
}

async function* textsOf(reader: Reader, source: string, type: ObjectTypeName, cursors: readonly Cursor[]) {
  for (let at = 0; at < cursors.length; at += maximalPage) {
    const ids = cursors.slice(at, at + maximalPage).map(({ key }) => ({ source, type, key }));
    yield* loadInParts(reader, ids);
  }
}

function beginningOf({ type, from, ...query }: KeyedQuery): Cursor | undefined {
  if (from === undefined) return undefined;
  const start = { key: from.key, isIncluded: true };
  if (query.kind === 'hosts' || query.order === 'key') return start;
  return from.range && { ...start, ...spanOf(type, from.range) };
}

function statementOf(query: KeyedQuery, columns: string, limit: number, after?: Cursor): Statement {
  if (query.kind === 'hosts') return hostStatement(query.prefix, columns, limit, after);
  return query.order === 'key'
    ? termStatement(query, columns, limit, 'd.key', after && afterKey(after))
    : termStatement(query, columns, limit, 'd.first, d.last desc, d.key', after && afterAddress(after));
}

interface Continuation {
  readonly where: string;
  readonly values: readonly unknown[];
}

/** Parameters: the type, those of the continuation, then one list of terms for each alternative. */
function termStatement(
  query: Extract<KeyedQuery, { kind: 'terms' }>,
  columns: string,
  limit: number,
  order: string,
  after: Continuation | undefined,
): Statement {
  const values = [query.type, ...(after?.values ?? [])];
  const alternatives = query.anyOf.map((_, index) => `d.terms @> $${values.length + index + 1}::bigint[]`);
  const terms = query.anyOf.map((all) => all.map((term) => storedTerm(query.type, term)));
  const where = `d.type = $1 and (${alternatives.join(' or ') || 'false'}) ${after ? `and ${after.where}` : ''}`;
  // For alternatives the planner expects far too many matches and would scan all objects in the requested order;
  // `offset 0` makes it find the matches first.
  const found = (table: string) =>
    alternatives.length > 1 ? `(select d.* from ${table} d where ${where} offset 0) d` : `${table} d where ${where}`;
  return {
    text: (tables) => `select ${columns} from ${found(tables.document)} order by ${order} limit ${limit}`,
    values: [...values, ...terms],
  };
}

function afterKey(cursor: Cursor): Continuation {
  return { where: `d.key ${behind(cursor)} $2`, values: [cursor.key] };
}

function behind({ isIncluded = false }: Cursor): string {
  return isIncluded ? '>=' : '>';
}

function afterAddress(cursor: Cursor): Continuation {
  const { first, last, key } = cursor;
  return {
    where: `(d.first > $2 or (d.first = $2 and (d.last < $3 or (d.last = $3 and d.key ${behind(cursor)} $4))))`,
    values: [first, last, key],
  };
}

function hostStatement(prefix: string, columns: string, limit: number, after: Cursor | undefined): Statement {
  return {
    text: (tables) => `
      select ${columns} from ${tables.document} d
      where d.type = 'domain' and d.key in (
        select distinct h.key from ${tables.host} h
        where h.host >= $1 and h.host < $1 || chr(1114111) and h.key ${after ? behind(after) : '>'} $2
        order by h.key limit ${limit})
      order by d.key`,
    values: [prefix, after?.key ?? ''],
  };
}
