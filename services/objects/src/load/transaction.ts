import type pg from 'pg';

/** Runs `fn` in one transaction of a connection that its caller keeps. */
export async function inTransactionOn<T>(client: pg.ClientBase, fn: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await fn();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {}); // the connection is gone, and the transaction with it
    throw error;
  }
}
