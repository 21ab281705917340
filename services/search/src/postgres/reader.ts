import { type ReadCurrent, readPrimary } from '@cadastre/service';
import pg from 'pg';
import { readEntry } from './catalogue.js';
import { format, type Tables, tablesOf } from './tables.js';

/** Runs single statements on the tables of a source that are currently in use. */
export interface Reader {
  /** The rows; none for a source without an index. */
  rows<R extends object>(source: string, statement: Statement): Promise<R[]>;
  /** The rows with the serial of the index that they show; undefined for a source without an index. */
  rowsWithSerial<R extends object>(source: string, statement: Statement): Promise<RowsWithSerial<R> | undefined>;
  /** The same for a call: its end cancels the statements. */
  during(call: { readonly signal: AbortSignal }): Reader;
}

export interface RowsWithSerial<R> {
  readonly serial: bigint;
  readonly rows: R[];
}

/** A statement for the tables of some generation. */
export interface Statement {
  /** Planned once on each connection, for all values. Not for statements whose best plan depends on the values. */
  readonly plannedOnce?: true;
  text(tables: Tables): string;
  readonly values: readonly unknown[];
}

type Database = Pick<pg.ClientBase, 'query'>;

const undefinedTable = '42P01';
const maxNames = 500;

/**
 * Caches which tables are in use. A switch drops the old tables, so a statement on stale tables fails, and then runs
 * again on the new ones. `pool` reaches the primary, which knows them.
 */
export function createReader(pool: pg.Pool, readCurrent: ReadCurrent = readPrimary(pool)): Reader {
  const generations = new Map<string, number>();
  const generationOf = async (source: string) => {
    const known = generations.get(source) ?? (await readEntry(pool, source))?.generation;
    if (known !== undefined) generations.set(source, known);
    return known;
  };
  const nameOf = statementNames();
  const run = async <R extends object>(
    db: Database,
    source: string,
    statement: Statement,
  ): Promise<R[] | undefined> => {
    const generation = await generationOf(source);
    if (generation === undefined) return undefined;
    const text = statement.text(tablesOf(generation));
    const { values } = statement;
    const query = statement.plannedOnce
      ? { ...nameOf(text), text, values: [...values] }
      : { text: withLiterals(text, values) };
    return (await db.query<R>(query)).rows;
  };
  const runOnTablesInUse = async <R extends object>(db: Database, source: string, statement: Statement) => {
    try {
      return await run<R>(db, source, statement);
    } catch (error) {
      if ((error as { code?: string }).code !== undefinedTable) throw error;
      generations.delete(source);
      return await run<R>(db, source, statement);
    }
  };
  const readerOf = (call?: { readonly signal: AbortSignal }): Reader => {
    const read = <R extends object>(source: string, statement: Statement) =>
      readCurrent({ call, sources: [source] }, (db) => runOnTablesInUse<R>(db, source, statement));
    return {
      rows: async <R extends object>(source: string, statement: Statement) => (await read<R>(source, statement)) ?? [],
      async rowsWithSerial<R extends object>(source: string, statement: Statement) {
        const rows = await read<R & WithSerial>(source, withSerial(source, statement));
        const [first] = rows ?? [];
        return first && { serial: first.index_serial, rows: rows!.length === 1 && isNoMatch(first) ? [] : rows! };
      },
      during: readerOf,
    };
  };
  return readerOf();
}

/** The text with its values in place of the parameters, because sessions plan parameters for all values. */
function withLiterals(text: string, values: readonly unknown[]): string {
  return text.replace(/\$(\d+)/g, (_, number: string) => literalOf(values[Number(number) - 1]));
}

function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `array[${value.map(literalOf).join()}]`;
  return value === null ? 'null' : pg.escapeLiteral(String(value));
}

interface WithSerial {
  readonly index_serial: bigint;
}

/** The one row without matches. */
function isNoMatch(row: WithSerial): boolean {
  return Object.entries(row).every(([column, value]) => column === 'index_serial' || value === null);
}

/**
 * The statement with the serial in each row. There is at least one row; there is none without an index of this release's
 * format.
 */
function withSerial(source: string, { text, values, ...statement }: Statement): Statement {
  return {
    ...statement,
    text: (tables) => `
      select entry.serial as index_serial, matches.*
      from (select serial from format_index where source = $${values.length + 1} and format = ${format}) entry
      left join lateral (${text(tables)}) matches on true`,
    values: [...values, source],
  };
}

/**
 * Names statements by their text, so that each connection parses a statement once instead of for every query. There are
 * few texts, those of each generation's tables; further ones stay unnamed.
 */
function statementNames(): (text: string) => { name?: string } {
  const names = new Map<string, { name: string }>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= maxNames) return {};
    const named = { name: `search-${names.size}` };
    names.set(text, named);
    return named;
  };
}
