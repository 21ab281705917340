import type { ObjectTypeName } from '@cadastre/rpsl';
import { maxWords, type WordMatches, type WordPosition, type WordQuery } from '../index-port.js';
import { wordRanks } from '../words.js';
import { type Clause, ofType } from './clauses.js';
import { searchIn, unavailable } from './cluster.js';
import { objectsOf } from './load-documents.js';
import { documentFields, type Hit, type Reader } from './search-hits.js';
import { storedName, storedWord } from './stored-document.js';

/** Maximum objects with the words for a shard. */
const maxFound = 1_000_000;

interface WordHit extends Pick<Hit, '_source'> {
  /** Score and key. */
  readonly sort: readonly [number, string];
}

interface Answer {
  readonly terminated_early?: boolean;
  readonly hits: { readonly hits: readonly WordHit[] };
  readonly aggregations: {
    readonly types: { readonly buckets: readonly { key: ObjectTypeName; doc_count: number }[] };
  };
}

/** A page of the objects that have words (`SearchIndex.searchWords`), by one request. */
export async function searchWords(reader: Reader, query: WordQuery): Promise<Omit<WordMatches, 'serial'>> {
  const { limit, after, types } = query;
  const answer = await searchIn<Answer>(reader, {
    size: limit + 1,
    query: scored(query),
    sort: [{ _score: 'desc' }, { key: 'asc' }],
    track_total_hits: false,
    terminate_after: maxFound,
    _source: documentFields,
    aggs: { types: { terms: { field: 'type', size: types.length } } },
    ...(after && { search_after: [scoreOf(after.rank) + scoreOfType(types, after.type), after.key] }),
  });
  if (answer === undefined) throw unavailable('the index is gone');
  const { hits } = answer.hits;
  const page = hits.slice(0, limit);
  const last = page.at(-1);
  return {
    counts: new Map(answer.aggregations.types.buckets.map((bucket) => [bucket.key, bucket.doc_count])),
    isPartial: answer.terminated_early === true,
    pages: objectsOf(
      reader,
      page.map((hit) => hit._source!),
    ),
    next: hits.length > page.length && last ? positionOf(last) : undefined,
  };
}

/** The rank of an object that has the maximum number of words, none of them in a name or description. */
const worstRank = 2 + maxWords * (wordRanks - 1);

/** More than there are types. Scores are small whole numbers, which floats represent exactly. */
const scoreOfRank = 32;

function scoreOf(rank: number): number {
  return (worstRank - rank) * scoreOfRank;
}

function scoreOfType(types: readonly ObjectTypeName[], type: ObjectTypeName): number {
  return scoreOfRank - 1 - types.indexOf(type);
}

function positionOf({ sort: [score, key], _source: document }: WordHit): WordPosition {
  return { rank: worstRank - Math.floor(score / scoreOfRank), type: document!.type, key };
}

/** The sum of the scores of words is that of their rank. */
function scored({ words, key, name, types }: WordQuery): Clause {
  const worst = wordRanks - 1;
  const bestOfWord = (word: string) =>
    bestOf(
      Array.from({ length: wordRanks }, (_, rank) =>
        constant({ term: { words: storedWord(word, rank) } }, (worst - rank) * scoreOfRank),
      ),
    );
  const allWords = {
    bool: { must: [...words.map(bestOfWord), constant({ match_all: {} }, scoreOf(2 + words.length * worst))] },
  };
  const alternatives = [
    constant({ term: { key } }, scoreOf(0)),
    constant({ terms: { name: types.map((type) => storedName(name, type)) } }, scoreOf(1)),
    ...(words.length > 0 ? [allWords] : []),
  ];
  return {
    bool: {
      filter: [{ terms: { type: types } }],
      must: [bestOf(alternatives)],
      should: types.map((type) => constant(ofType(type), scoreOfType(types, type))),
    },
  };
}

function bestOf(queries: readonly Clause[]): Clause {
  return { dis_max: { queries } };
}

function constant(filter: Clause, boost: number): Clause {
  return { constant_score: { filter, boost } };
}
