import type pg from 'pg';
import { readEntry } from './catalogue.js';
import { indexFailure } from './failures.js';
import { type Tables, tablesOf } from './tables.js';

/** Runs single statements on the tables of a source that are in use at that moment. */
export interface Reader {
  /** The rows; none for a source that was never built. */
  rows<R extends object>(source: string, statement: Statement): Promise<R[]>;
}

/** A statement on some generation's tables. */
export interface Statement {
  /** Planned once for all values, instead of anew for each. Not for statements whose best way depends on how much there is. */
  readonly plannedOnce?: true;
  text(tables: Tables): string;
  readonly values: readonly unknown[];
}

const undefinedTable = '42P01';
const mostNames = 500;

/**
 * Remembers which tables are in use. A switch drops the old ones, so a memory that is out of date shows by their
 * absence, and then the statement is run again on the new ones.
 */
export function createReader(pool: pg.Pool): Reader {
  const generations = new Map<string, number>();
  const generationOf = async (source: string) => {
    const known = generations.get(source) ?? (await readEntry(pool, source))?.generation;
    if (known !== undefined) generations.set(source, known);
    return known;
  };
  const nameOf = statementNames();
  const run = async <R extends object>(source: string, statement: Statement): Promise<R[]> => {
    const generation = await generationOf(source);
    if (generation === undefined) return [];
    const text = statement.text(tablesOf(generation));
    const { rows } = await pool.query<R>({
      ...(statement.plannedOnce && nameOf(text)),
      text,
      values: [...statement.values],
    });
    return rows;
  };
  return {
    async rows<R extends object>(source: string, statement: Statement) {
      try {
        return await run<R>(source, statement);
      } catch (error) {
        if ((error as { code?: string }).code !== undefinedTable) throw indexFailure(error);
        generations.delete(source);
        return await run<R>(source, statement);
      }
    },
  };
}

/**
 * Names statements by their text, so that each connection parses a statement once and not for every query. There are few
 * texts, those of each generation's tables; should there be more, the further ones stay unnamed.
 */
function statementNames(): (text: string) => { name?: string } {
  const names = new Map<string, { name: string }>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= mostNames) return {};
    const named = { name: `search-${names.size}` };
    names.set(text, named);
    return named;
  };
}
