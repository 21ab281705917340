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
  text(tables: Tables): string;
  readonly values: readonly unknown[];
}

const undefinedTable = '42P01';

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
  const run = async <R extends object>(source: string, statement: Statement): Promise<R[]> => {
    const generation = await generationOf(source);
    if (generation === undefined) return [];
    const { rows } = await pool.query<R>(statement.text(tablesOf(generation)), [...statement.values]);
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
