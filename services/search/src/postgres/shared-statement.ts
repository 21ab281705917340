import type { Batched } from '@cadastre/service';
import { maximalPage } from '../index-port.js';
import { perTurn } from '../per-turn.js';
import { type Bounds, type Kind, type Question, textOf, valuesOf } from './questions.js';
import type { Reader, RowsWithSerial, Statement } from './reader.js';
import type { ObjectRow } from './rows.js';

/** A match, with its place on the number line where the order of the matches depends on it. */
export type Match = ObjectRow & { readonly item: number; readonly first: string | null; readonly last: string | null };

/** The matches of all questions of a search in their order, `item` being the question; undefined without an index. */
type Matches = RowsWithSerial<Match> | undefined;

/** The questions of a search to a source. */
interface Search {
  readonly questions: readonly Question[];
  readonly signal: AbortSignal;
}

/** Asks the questions of searches. */
export interface SharedStatement {
  /**
   * In one statement with those of other searches: only for questions that are quick whatever their values are. At most
   * `maximalPage` matches of each about a range, and one more of each by terms.
   */
  together(source: string, search: Search): Promise<Matches>;
  /** In a statement of its own. */
  alone(source: string, search: Search, bounds?: Bounds): Promise<Matches>;
}

/** Maximum number of searches of a statement, and of characters of their terms. */
const size = 32;
const characters = 64 * 1024;

/** One match more than a page tells that there are more; the texts are bounded by their bytes. */
const shared: Bounds = { matches: maximalPage + 1, texts: size * maximalPage };

/** One statement answers the questions of an event-loop turn to a source. `connections`: statements at the same time. */
export function createSharedStatement(reader: Reader, connections: number): SharedStatement {
  const ask = (source: string, { questions, signal }: Search, bounds: Bounds) =>
    reader.during({ signal }).rowsWithSerial<Match>(source, statementOf(questions, bounds));
  const sources = new Map<string, Batched<Search, Matches>>();
  const askTogether = (source: string) =>
    perTurn<Search, Matches>({
      size,
      bytes: characters,
      bytesOf: ({ questions }) => questions.reduce((sum, question) => sum + charactersOf(question), 0),
      callsInFlight: connections,
      async answer(searches, signal) {
        const questions = searches.map((search) => search.questions);
        return separated(questions, await ask(source, { questions: questions.flat(), signal }, shared));
      },
    });
  return {
    together(source, search) {
      const batched = sources.get(source) ?? askTogether(source);
      sources.set(source, batched);
      return batched(search, search.signal);
    },
    alone: (source, search, bounds = shared) => ask(source, search, bounds),
  };
}

function statementOf(questions: readonly Question[], bounds: Bounds): Statement {
  const kinds = kindsFor(new Set(questions.map(({ kind }) => kind)));
  return { plannedOnce: true, text: (tables) => textOf(kinds, tables), values: valuesOf(questions, bounds) };
}

/** Each combination of kinds is another statement to plan, and each kind that nobody asks for costs time: a compromise. */
function kindsFor(asked: ReadonlySet<Kind>): readonly Kind[] {
  if (asked.size === 1) return [...asked];
  return groups.filter((group) => group.some((kind) => asked.has(kind))).flat();
}

const groups: readonly (readonly Kind[])[] = [['exact', 'nearest', 'all-less'], ['one-more', 'all-more'], ['terms']];

function separated(searches: readonly (readonly Question[])[], found: Matches): Matches[] {
  if (found === undefined) return searches.map(() => undefined);
  const { serial, rows } = found;
  let item = 0;
  let at = 0;
  return searches.map(({ length }) => {
    item += length;
    const start = at;
    while (at < rows.length && rows[at]!.item < item) at++;
    return { serial, rows: rows.slice(start, at) };
  });
}

function charactersOf(question: Question): number {
  if (question.kind !== 'terms') return 0;
  return [question.single, ...question.lists].flat().reduce((sum, term) => sum + term.length, 0);
}
