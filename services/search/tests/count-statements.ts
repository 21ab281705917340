import pg from 'pg';
import { vi } from 'vitest';

/** A statement that a search sent to PostgreSQL. */
export interface SentStatement {
  readonly text: string;
  /** The connection that it was sent over. */
  readonly client: pg.Client;
}

/** The statements that connections of a pool send to PostgreSQL meanwhile; default: searches, without the indexer. */
export async function statementsDuring(
  work: () => Promise<unknown>,
  pool = 'cadastre search',
): Promise<SentStatement[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const sent = query.mock.calls.map(([statement], at) => ({
      text: textOf(statement as unknown),
      client: query.mock.contexts[at] as unknown as pg.Client,
    }));
    return sent.filter(({ client }) => poolOf(client) === pool);
  } finally {
    query.mockRestore();
  }
}

interface RowParser {
  parseRow(values: (Buffer | null)[]): unknown;
}

/** Bytes of the largest database result meanwhile. */
export async function largestReadDuring(work: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(pg.Result.prototype as unknown as RowParser, 'parseRow');
  try {
    await work();
    const perStatement = new Map<unknown, number>();
    for (const [at, [values]] of parse.mock.calls.entries()) {
      const result = parse.mock.contexts[at];
      const size = values.reduce((sum, value) => sum + (value?.length ?? 0), 0);
      perStatement.set(result, (perStatement.get(result) ?? 0) + size);
    }
    return Math.max(...perStatement.values());
  } finally {
    parse.mockRestore();
  }
}

function poolOf(client: unknown): string | undefined {
  return (client as { connectionParameters: { application_name?: string } }).connectionParameters.application_name;
}

function textOf(statement: unknown): string {
  return typeof statement === 'string' ? statement : (statement as { text: string }).text;
}
