// Reads that take longer than a page of a query: each function is a task of the reader thread.
import { type ObjectTypeName, objectTypeNames } from '@cadastre/rpsl';
import {
  type Beginning,
  type Counts,
  type FoundHoldings,
  type FoundSpans,
  type HoldingsQuery,
  type IndexedObject,
  type InsideQuery,
  type InverseQuery,
  maxCounted,
  type NamedLike,
  type NamePattern,
  type NamePosition,
  type NameQuery,
  type Spanned,
  type TypedKey,
  type WordPosition,
  type WordQuery,
} from '../index-port.js';
import { wordRanks } from '../words.js';
import { suggestedNames, wordHash } from './documents.js';
import { allMatches, countMatches } from './matches.js';
import { lastCharacter, numberOf, partsOf, sortKeyOf } from './positions.js';
import { hasNeeded, isKnown } from './query-page.js';
import { limited, type Naming, readObjects, serialOf, type Tables, typeNumber, typeOf } from './tables.js';

/** Objects by their keys, of which some may not fit into one part. */
export interface KeyedObjects {
  readonly serial: bigint;
  readonly objects: readonly IndexedObject[];
  /** Those that did not fit. */
  readonly later: readonly TypedKey[];
}

/** Maximum objects of one part. */
const maxKeys = 250;

/** Reads objects by key, as many as fit into one part. */
export function readByKey(tables: Tables, source: string, keys: readonly TypedKey[]): Omit<KeyedObjects, 'serial'> {
  const requested = keys.slice(0, maxKeys);
  const { objects, read } = readObjects(tables, source, requested, byKey);
  return { objects, later: keys.slice(read) };
}

const byKey: Naming<TypedKey> = {
  where: 'type = ? and key = ?',
  valuesOf: ({ type, key }) => [typeNumber(type), key],
  typeOf: ({ type }) => type,
};

const maxCountedMatches = 100_000;

export function countByType(tables: Tables, queries: readonly InverseQuery[]): Counts {
  let left = hasNeeded(tables, queries) ? maxCountedMatches : 0;
  const counts = queries.map((query) => {
    const count = left > 0 ? countMatches(tables, query, left) : 0;
    left -= count;
    return count;
  });
  return {
    serial: serialOf(tables),
    counts,
    isPartial: counts.reduce((sum, one) => sum + one, 0) >= maxCountedMatches,
  };
}

export function spansInside(tables: Tables, { type, range, firstLevel, max }: InsideQuery): FoundSpans {
  const mode = firstLevel ? 'one-more' : 'all-more';
  const spans: Spanned[] = [];
  for (const match of allMatches(tables, { kind: 'range', type, range, mode }, max)) {
    if (spans.length >= max) break;
    const { first, last, key } = partsOf(sortKeyOf(tables, 'address', match));
    spans.push({ key, first: numberOf(first), last: numberOf(last) });
  }
  return { serial: serialOf(tables), spans };
}

/** Skips what lies in an object of the organisation. */
export function holdings(tables: Tables, { organisation, types, max }: HoldingsQuery): FoundHoldings {
  const keys = types.map((type) => {
    const held: string[] = [];
    let before: Uint8Array = new Uint8Array();
    while (held.length < max) {
      const next = tables.one<{ key: string; last: Uint8Array }>(
        `select key, last from object where org = ? and type = ? and first > ?
         order by first, last desc, key limit 1`,
        ...[organisation, typeNumber(type), before],
      );
      if (next === undefined) break;
      held.push(next.key);
      before = next.last;
    }
    return held;
  });
  return { serial: serialOf(tables), keys };
}

/** Maximum objects with the words to rank and count. */
const maxFound = 10_000;

/** What a search for words finds. */
export interface FoundWords extends KeyedObjects {
  readonly counts: ReadonlyMap<ObjectTypeName, number>;
  readonly isPartial: boolean;
  readonly next: WordPosition | undefined;
}

interface Ranked extends TypedKey {
  readonly rank: number;
}

export function searchWords(tables: Tables, source: string, query: WordQuery): FoundWords {
  const { types, key, name, limit, after } = query;
  const found = new Map<string, Ranked>();
  const add = (one: Ranked) => {
    const id = `${one.type} ${one.key}`;
    const known = found.get(id);
    if (known === undefined || one.rank < known.rank) found.set(id, one);
  };
  for (const type of types) if (isKnown(tables, type, key)) add({ type, key, rank: 0 });
  for (const type of types) {
    const rows = tables.all<{ key: string }>(
      `select key from object where type = ? and name = ? ${limited}`,
      ...[typeNumber(type), name, maxFound],
    );
    for (const row of rows) add({ type, key: row.key, rank: 1 });
  }
  const byWords = query.words.length === 0 ? [] : withWords(tables, query);
  for (const one of byWords) add(one);
  const counts = new Map<ObjectTypeName, number>();
  for (const { type } of found.values()) counts.set(type, (counts.get(type) ?? 0) + 1);
  const sortKeyOf = new Map(types.map((type, at) => [type, at]));
  const compare = (one: Ranked, other: Ranked) =>
    one.rank - other.rank ||
    (sortKeyOf.get(one.type) ?? -1) - (sortKeyOf.get(other.type) ?? -1) ||
    compareTexts(one.key, other.key);
  const behind = [...found.values()].filter((one) => after === undefined || compare(one, after) > 0).sort(compare);
  const page = behind.slice(0, limit);
  const last = page.at(-1);
  return {
    serial: serialOf(tables),
    counts,
    isPartial: byWords.length >= maxFound,
    next: behind.length > page.length ? last : undefined,
    ...readByKey(tables, source, page),
  };
}

/** The objects that have all words: those with the rarest one in their names first. */
function withWords(tables: Tables, { words, types }: WordQuery): Ranked[] {
  const hashes = words.map(wordHash);
  const counted = hashes.map((hash) => ({ hash, count: countOfWord(tables, hash) }));
  const [driver, ...others] = counted.sort((one, other) => one.count - other.count).map(({ hash }) => hash);
  const numbers = types.length === objectTypeNames.length ? undefined : types.map(typeNumber);
  const found: Ranked[] = [];
  for (let rank = 0; rank < wordRanks; rank++) {
    const rows = numbers
      ? numbers.flatMap((type) => wordRows(tables, driver!, rank, maxFound - found.length, type))
      : wordRows(tables, driver!, rank, maxFound - found.length);
    for (const { id, type } of rows) {
      if (found.length >= maxFound) return found;
      const ranks = others.map((hash) => rankOf(tables, hash, type, id));
      if (ranks.includes(undefined)) continue;
      const total = ranks.reduce<number>((sum, one) => sum + one!, rank);
      const { key } = tables.one<{ key: string }>('select key from object where id = ?', id)!;
      found.push({ type: typeOf(type), key, rank: 2 + total });
    }
  }
  return found;
}

interface WordRow {
  readonly id: number;
  readonly type: number;
}

function wordRows(tables: Tables, hash: number, rank: number, limit: number, type?: number): WordRow[] {
  const ofType = type === undefined ? '' : 'and type = ?';
  const values = type === undefined ? [] : [type];
  return tables.all(
    `select id, type from word where hash = ? and rank = ? ${ofType} order by type, id ${limited}`,
    ...[hash, rank, ...values, limit],
  );
}

const ranks = Array.from({ length: wordRanks }, (_, rank) => rank).join();

function rankOf(tables: Tables, hash: number, type: number, id: number): number | undefined {
  const text = `select rank from word where hash = ? and rank in (${ranks}) and type = ? and id = ? order by rank limit 1`;
  return tables.one<{ rank: number }>(text, hash, type, id)?.rank;
}

/** At most one more than are returned. */
function countOfWord(tables: Tables, hash: number): number {
  const text = `select count(*) as count from (select 1 from word where hash = ? limit ${maxFound + 1})`;
  return tables.one<{ count: number }>(text, hash)!.count;
}

export function suggest(tables: Tables, source: string, { key, name, limit }: Beginning): KeyedObjects {
  const found = new Map<string, TypedKey & { matched: string }>();
  const add = (type: ObjectTypeName, key: string, matched: string) => {
    const known = found.get(`${type} ${key}`);
    if (known === undefined || matched < known.matched) found.set(`${type} ${key}`, { type, key, matched });
  };
  for (const type of objectTypeNames) {
    const rows = tables.all<{ key: string }>(
      `select key from object where type = ? and key >= ? and key < ? order by key ${limited}`,
      ...[typeNumber(type), key, key + lastCharacter, limit],
    );
    for (const row of rows) add(type, row.key, row.key);
  }
  // Steps from one name to the next, over all objects with the same name.
  for (const type of suggestedNames) {
    let last: string | undefined;
    for (let number = 0; number < limit; number++) {
      const row = tables.one<{ name: string; key: string }>(
        `select name, key from object where type = ? and name ${last === undefined ? '>=' : '>'} ? and name < ?
         order by name, key limit 1`,
        ...[typeNumber(type), last ?? name, name + lastCharacter],
      );
      if (row === undefined) break;
      add(type, row.key, row.name);
      last = row.name;
    }
  }
  const sorted = [...found.values()].sort(
    (one, other) =>
      compareTexts(one.matched, other.matched) ||
      compareTexts(one.type, other.type) ||
      compareTexts(one.key, other.key),
  );
  return { serial: serialOf(tables), ...readByKey(tables, source, sorted.slice(0, limit)) };
}

/** Maximum names to compare for a page. */
const maxCompared = 5_000;

/** What a search for names finds. */
export interface FoundNames extends KeyedObjects {
  readonly next: NamePosition | undefined;
}

export function searchNames(tables: Tables, source: string, { limit, after, ...named }: NameQuery): FoundNames {
  const { prefix, text } = named.pattern;
  const max = text !== prefix && text !== `${prefix}*` ? maxCompared : limit + 1;
  const compared = comparedNames(tables, named, max, after);
  const shape = shapeOf(named.pattern);
  const matching = compared.filter((one) => shape.test(one.text));
  const page = matching.slice(0, limit);
  const reached = compared.length >= max ? compared.at(-1) : undefined;
  return {
    serial: serialOf(tables),
    next: matching.length > page.length ? page.at(-1) : reached,
    ...readByKey(tables, source, page),
  };
}

export function countNames(tables: Tables, named: NamedLike): number | undefined {
  const compared = comparedNames(tables, named, maxCounted + 1);
  if (compared.length > maxCounted) return undefined;
  const shape = shapeOf(named.pattern);
  return compared.filter(({ text }) => shape.test(text)).length;
}

function shapeOf({ text }: NamePattern): RegExp {
  const source = text
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replaceAll('\\*', '.*')
    .replaceAll('\\?', '.');
  return new RegExp(`^${source}$`, 'sv');
}

/**
 * Each type and column is a range of an index, read from where the search continues; merged in the order of the result.
 */
function comparedNames(
  tables: Tables,
  { field, pattern: { prefix, text }, types }: NamedLike,
  max: number,
  after?: NamePosition,
): NamePosition[] {
  const from = after !== undefined && after.text > prefix ? after.text : prefix;
  const to = text === prefix ? prefix : prefix + lastCharacter;
  const columns = field === 'key' ? ['key'] : ['name', 'person_name'];
  const found = columns.flatMap((column) =>
    types.flatMap((type) => {
      // Of equal texts and keys, types come in the order of their names.
      const operator = after === undefined || type > after.type ? '>=' : '>';
      const [start, key] = after === undefined || after.text < from ? [from, ''] : [after.text, after.key];
      return tables
        .all<{ text: string; key: string }>(
          `select ${column} as text, key from object where type = ? and ${column} is not null
             and (${column}, key) ${after === undefined || after.text < from ? '>=' : operator} (?, ?) and ${column} <= ?
           order by ${column}, key ${limited}`,
          ...[typeNumber(type), start, key, to, max],
        )
        .map((row) => ({ ...row, type }));
    }),
  );
  return found
    .sort(
      (one, other) =>
        compareTexts(one.text, other.text) || compareTexts(one.key, other.key) || compareTexts(one.type, other.type),
    )
    .slice(0, max);
}

/** By code points: keys and names have only characters for which that is the order of UTF-16 units. */
function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
