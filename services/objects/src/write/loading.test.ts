import type pg from 'pg';
import { expect, test, vi } from 'vitest';
import { type Answering, createSharedLoading } from './loading.js';

/** Until all that needs no answer is done. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const never = new AbortController().signal;

/** A pool whose statements wait until the test answers them. */
function heldPool() {
  const sent: { connection: number; values: unknown[]; answer(...rows: unknown[]): void; fail(error: Error): void }[] =
    [];
  const released: boolean[] = [];
  let connections = 0;
  const connect = async () => {
    const connection = ++connections;
    return {
      query: ({ values }: { values: unknown[] }) =>
        new Promise((resolve, reject) =>
          sent.push({ connection, values, answer: (...rows) => resolve({ rows }), fail: reject }),
        ),
      connection: { stream: { destroy() {} } },
      release: (isBroken?: boolean) => released.push(isBroken ?? false),
    };
  };
  return { pool: { connect } as unknown as pg.Pool, sent, released };
}

/** Answers numbers by one statement. */
const doubled: Answering<number, number> = async (db, numbers) => {
  const { rows } = await db.query<{ value: number }>({ text: '', values: [...numbers] });
  return rows.map(({ value }) => value);
};

test('what writes ask in one turn is one statement, behind the moments; each gets its own answer', async () => {
  const { pool, sent, released } = heldPool();
  const loading = createSharedLoading(pool);
  const work = [1, 2].map((number) =>
    loading.run(never, async (db) => {
      const [early, moment] = await Promise.all([db.ask(doubled, number), db.moment(7)]);
      return [early, moment, await db.ask(doubled, 10 * number)];
    }),
  );
  await settled();
  expect(sent.map(({ connection, values }) => [connection, values])).toEqual([
    [1, [7]],
    [1, [1, 2]],
  ]);
  sent[0]!.answer('now');
  sent[1]!.answer({ value: 2 }, { value: 4 });
  await settled();
  expect(sent[2]!.values).toEqual([10, 20]);
  expect(released).toEqual([]);
  sent[2]!.answer({ value: 20 }, { value: 40 });
  expect(await Promise.all(work)).toEqual([
    [2, 'now', 20],
    [4, 'now', 40],
  ]);
  await settled();
  expect(released).toEqual([false]);
});

test('the error of one question does not fail the others', async () => {
  const { pool, sent, released } = heldPool();
  const loading = createSharedLoading(pool);
  const work = Promise.allSettled([1, 2].map((number) => loading.run(never, (db) => db.ask(doubled, number))));
  await settled();
  sent[0]!.fail(new Error('invalid'));
  await settled();
  expect(sent.slice(1).map(({ values }) => values)).toEqual([[1], [2]]);
  sent[1]!.fail(new Error('invalid'));
  sent[2]!.answer({ value: 4 });
  expect(await work).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 4 }]);
  await settled();
  expect(released).toEqual([false]);
});

test('a lost connection fails all that wait for it, and takes no more', async () => {
  const { pool, sent, released } = heldPool();
  const loading = createSharedLoading(pool);
  const ask = () => loading.run(never, (db) => db.ask(doubled, 1));
  const lost = Promise.allSettled([ask(), ask()]);
  await settled();
  sent[0]!.fail(Object.assign(new Error('lost'), { code: 'ECONNRESET' }));
  expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const later = ask();
  await settled();
  expect([sent[1]!.connection, released]).toEqual([2, [true]]);
  sent[1]!.answer({ value: 2 });
  expect(await later).toBe(2);
});

test('writes do not wait behind a slow statement, and who leaves takes it along', async () => {
  const { pool, sent, released } = heldPool();
  const loading = createSharedLoading(pool);
  const leaving = new AbortController();
  const slow = loading.run(leaving.signal, (db) => db.ask(doubled, 1));
  slow.catch(() => {});
  await settled();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_000);
  const other = loading.run(never, (db) => db.ask(doubled, 2));
  clock.mockRestore();
  await settled();
  expect(sent.map(({ connection }) => connection)).toEqual([1, 2]);
  leaving.abort(new Error('gone'));
  await expect(slow).rejects.toThrow('gone');
  await settled();
  expect(released).toEqual([true]);
  sent[1]!.answer({ value: 4 });
  expect(await other).toBe(4);
});

test('without a connection each write gets the error, and later writes try again', async () => {
  let attempts = 0;
  const pool = {
    connect: async () => {
      attempts++;
      throw Object.assign(new Error('no server'), { code: 'ECONNREFUSED' });
    },
  } as unknown as pg.Pool;
  const loading = createSharedLoading(pool);
  const load = () => loading.run(never, (db) => db.moment(1));
  for (const round of [1, 2]) {
    await expect(Promise.all([load(), load()])).rejects.toThrow();
    expect(attempts).toBe(round);
  }
});
