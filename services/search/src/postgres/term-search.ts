import { hash } from 'node:crypto';
import { type IndexedObject, type Matches, maximalPage, neededBy, type TypeQuery } from '../index-port.js';
import type { CommonTerms } from './common-terms.js';
import { storedTerm } from './documents.js';
import { inSequence, noMatches } from './in-sequence.js';
import { keyedSearch } from './keyed-search.js';
import { knownObjects, objectsOf } from './load.js';
import { maxLists, type TermQuestion } from './questions.js';
import type { Reader } from './reader.js';
import type { ObjectRow } from './rows.js';
import type { SharedStatement } from './shared-statement.js';

export type TermQuery = Extract<TypeQuery, { kind: 'terms' }>;

/** Maximum number of matches of all types in a statement; with more, each type gets statements of its own. */
const maxTogether = 500;

/** Maximum number of remembered searches. */
const maxRemembered = 1000;

/** Searches several types by their terms. */
export type TermSearch = (
  reader: Reader,
  source: string,
  queries: readonly TermQuery[],
  signal: AbortSignal,
) => Promise<Matches | undefined>;

/**
 * Searches all types by one statement, which other searches share, unless there are too many matches: the statement
 * finds all of them before it stops reading them. The statistics of PostgreSQL tell which terms are common; of other
 * searches with many matches it remembers the newest.
 */
export function createTermSearch({ together, alone }: SharedStatement, commonTerms: CommonTerms): TermSearch {
  /** Searches with more matches than a page, and whether they are more than `maxTogether`. */
  const remembered = new Map<string, boolean>();
  const remember = (name: string, isCrowded: boolean) => {
    if (remembered.size === maxRemembered) remembered.clear();
    remembered.set(name, isCrowded);
  };
  return async (reader, source, queries, signal) => {
    const typeByType = async () => {
      const ids = (neededBy(queries) ?? []).map((id) => ({ source, ...id }));
      if (ids.length > 0 && !(await knownObjects(reader, ids)).includes(true)) return noMatches(reader, source);
      return inSequence(queries.map((query) => () => keyedSearch(reader, source, query)));
    };
    // A hash, because a client chooses how long the terms are.
    const [first] = queries;
    const name = hash('sha256', JSON.stringify([source, queries.map((query) => ({ ...query, from: undefined }))]));
    const question = questionOf(queries);
    const isCrowded = remembered.get(name);
    if (isCrowded || question.lists.length > maxLists || findsCommon(question, await commonTerms(source))) {
      return typeByType();
    }
    const asked = { questions: [question], signal };
    if (isCrowded === undefined && first?.from === undefined) {
      const few = await together(source, asked);
      if (few === undefined || few.rows.length <= maximalPage) return few && matchesOf(reader, source, few);
    }
    const found = await alone(source, asked, { matches: maxTogether + 1, texts: maximalPage });
    if (found === undefined) return undefined;
    remember(name, found.rows.length > maxTogether);
    return found.rows.length > maxTogether ? typeByType() : matchesOf(reader, source, rowsFrom(found, first));
  };
}

/** All alternatives of all types, which the terms name. */
function questionOf(queries: readonly TermQuery[]): TermQuestion {
  const lists = queries.flatMap(({ type, anyOf }) => anyOf.map((all) => all.map((term) => storedTerm(type, term))));
  const onlyIf = neededBy(queries);
  return {
    kind: 'terms',
    single: lists.filter((all) => all.length === 1).flat(),
    lists: lists.filter((all) => all.length > 1),
    types: queries.map(({ type }) => type),
    by_address: queries.filter(({ order }) => order === 'address').map(({ type }) => type),
    target_types: onlyIf?.map(({ type }) => type) ?? null,
    target_keys: onlyIf?.map(({ key }) => key) ?? null,
  };
}

/** Of required terms the rarest one counts. */
function findsCommon({ single, lists }: TermQuestion, common: ReadonlySet<string>): boolean {
  const isCommon = (term: string) => common.has(term);
  return common.size > 0 && (single.some(isCommon) || lists.some((all) => all.every(isCommon)));
}

interface Found {
  readonly serial: bigint;
  readonly rows: readonly ObjectRow[];
}

/** Without those before the object at the beginning of the query, if it is there. */
function rowsFrom({ serial, rows }: Found, query: TermQuery | undefined): Found {
  const at = query?.from && rows.findIndex(({ type, key }) => type === query.type && key === query.from!.key);
  return { serial, rows: rows.slice(Math.max(at ?? 0, 0)) };
}

function matchesOf(reader: Reader, source: string, { serial, rows }: Found): Matches {
  return { serial, pages: pagesOf(reader, source, rows) };
}

/** The rows after the first page may have no texts. */
async function* pagesOf(
  reader: Reader,
  source: string,
  rows: readonly ObjectRow[],
): AsyncGenerator<readonly IndexedObject[]> {
  for (let at = 0; at < rows.length; at += maximalPage) {
    yield* objectsOf(reader, source, rows.slice(at, at + maximalPage));
  }
}
