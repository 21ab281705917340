import { type ObjectTypeName, objectTypeNames } from '@cadastre/rpsl';
import type { WordMatches, WordQuery } from '../index-port.js';
import { wordRanks } from '../words/object-words.js';
import { objectsOf } from './load.js';
import type { Reader, Statement } from './reader.js';
import { type ObjectRow, objectColumns } from './rows.js';
import { storedType, storedWord } from './stored-words.js';
import type { Tables } from './tables.js';

/**
 * A statement reads at most so many objects that have the words, because it ranks and counts each. The index of words
 * finds all of them before, at a tenth of a microsecond for each.
 */
const maxFound = 10_000;

type Row = {
  readonly counts: Readonly<Record<string, number>> | null;
  readonly partial: boolean;
  readonly rank: number;
} & {
  [column in keyof ObjectRow]: ObjectRow[column] | null;
};

/** A page of the objects that have words (`SearchIndex.searchWords`), by one statement. */
export async function searchWords(reader: Reader, source: string, query: WordQuery): Promise<WordMatches | undefined> {
  const found = await reader.rowsWithSerial<Row>(source, statementOf(query));
  if (found === undefined) return undefined;
  const { counts, partial: isPartial } = found.rows[0]!;
  const rows = found.rows.filter((row): row is Row & ObjectRow => row.key !== null);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    serial: found.serial,
    counts: new Map(Object.entries(counts ?? {}) as [ObjectTypeName, number][]),
    isPartial,
    pages: objectsOf(reader, source, page),
    next: rows.length > page.length && last ? { rank: last.rank, type: last.type, key: last.key } : undefined,
  };
}

/** The stored forms of the words come in one list: those of the best rank of all words, then those of the next one. */
function statementOf({ words, key, name, types, limit, after }: WordQuery): Statement {
  const ranks = Array.from({ length: wordRanks }, (_, rank) => rank);
  const isAnyType = types.length === objectTypeNames.length;
  return {
    plannedOnce: true,
    text: (tables) => textOf(tables, words.length, isAnyType),
    values: [
      types,
      key,
      name,
      ranks.flatMap((rank) => words.map((word) => storedWord(word, rank))),
      limit + 1,
      after?.rank ?? -1,
      after === undefined ? 0 : types.indexOf(after.type) + 1,
      after?.key ?? '',
      ...(isAnyType ? [] : [types.map(storedType)]),
    ],
  };
}

/**
 * Common words in names are searched apart: if very many objects have the words, those with all of them in their names
 * are among the first ones nevertheless.
 */
function textOf({ document }: Tables, words: number, isAnyType: boolean): string {
  const stored = (word: number, rank: number) => `($4::integer[])[${rank * words + word + 1}]`;
  const numbers = Array.from({ length: words }, (_, word) => word);
  const all = numbers.map((word) => `d.words && array[${stored(word, 0)}, ${stored(word, 1)}, ${stored(word, 2)}]`);
  const rank = numbers.map(
    (word) =>
      `case when ${stored(word, 0)} = any (d.words) then 0 when ${stored(word, 1)} = any (d.words) then 1 else 2 end`,
  );
  // The function keeps the planner from reading all objects of the types.
  const ofType = isAnyType ? [] : ['d.words && $9::integer[]', 'array_position($1::text[], d.type) is not null'];
  const withWords = (ranked: string, conditions: readonly string[]) => `
    select d.type, d.key, ${ranked} as rank from ${document} d
    where ${['cardinality($4::integer[]) > 0', ...conditions, ...ofType].join(' and ')} limit ${maxFound}`;
  return `
    with by_words as materialized (${withWords(['2', ...rank].join(' + '), all)}),
    found as materialized (
      select type, key, min(rank) as rank, array_position($1::text[], type) as place from (
        select d.type, d.key, 0 as rank from ${document} d
          where (d.type, d.key) in (select asked.type, $2 from unnest($1::text[]) asked (type))
        union all
        (select d.type, d.key, 1 as rank from ${document} d where d.name = $3 and d.type = any ($1::text[]) limit ${maxFound})
        union all (${withWords('2', [`d.words @> ($4::integer[])[1:${words}]`])})
        union all select * from by_words
      ) d group by type, key
    ),
    counted as (
      select (select json_object_agg(type, objects) from (
          select type, count(*) as objects from found group by type) by_type) as counts,
        (select count(*) from by_words) >= ${maxFound} as partial
    ),
    page as (
      select type, key, rank, place from found where (rank, place, key) > ($6::integer, $7::integer, $8)
      order by rank, place, key limit $5::integer
    )
    select counted.counts, counted.partial, ranked.* from counted left join (
      select page.rank, page.place, ${objectColumns} from page join ${document} d on d.type = page.type and d.key = page.key
    ) ranked on true order by ranked.rank, ranked.place, ranked.key`;
}
