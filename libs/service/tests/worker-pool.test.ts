import { afterEach, expect, test } from 'vitest';
import { createWorkerPool, type WorkerPool } from '../src/worker-pool.js';

type ExampleTasks = typeof import('./worker-tasks.fixture.js');

let pool: WorkerPool<ExampleTasks>;
afterEach(() => pool.close());
const make = (threads: number, maxWaiting: number, deadlineMs: number) => {
  const tasks = new URL('./worker-tasks.fixture.js', import.meta.url);
  pool = createWorkerPool<ExampleTasks>({ tasks, threads, maxWaiting, deadlineMs });
};
const tooLong = { kind: 'unavailable', messages: [{ text: 'The work timed out; please try again' }] };
const busy = { kind: 'unavailable', messages: [{ text: 'The service is overloaded; please try again' }] };

test('a task runs on another thread and returns its result or its error', async () => {
  make(2, 10, 30_000);
  expect(await Promise.all([pool.run('add', 1, 2), pool.run('add', 3, 4), pool.run('add', 5, 6)])).toEqual([3, 7, 11]);
  await expect(pool.run('fail')).rejects.toThrow('out of luck');
});

test('a task that never ends is terminated; this thread stays free, and the next task runs', async () => {
  make(1, 10, 1_000);
  const before = process.threadCpuUsage();
  await expect(pool.run('spin')).rejects.toMatchObject(tooLong);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(500);
  // On a busy machine one may take too long, too.
  await expect.poll(() => pool.run('add', 1, 2).catch(() => {})).toBe(3);
});

test('queued tasks run after one was terminated; a task beyond the queue is refused at once', async () => {
  make(1, 2, 2_000);
  const settled = Promise.allSettled([pool.run('spin'), pool.run('spin'), pool.run('add', 1, 2)]);
  await expect(pool.run('add', 3, 4)).rejects.toMatchObject(busy);
  expect(await settled).toMatchObject([{ reason: tooLong }, { reason: tooLong }, { value: 3 }]);
});

test('a task that takes all memory ends its thread, not the process', async () => {
  make(1, 10, 30_000);
  await expect(pool.run('fill')).rejects.toThrow();
  expect(await pool.run('add', 1, 2)).toBe(3);
});

test('work under way ends with the pool', async () => {
  make(1, 10, 60_000);
  const running = pool.run('spin').catch((error: Error) => error);
  await pool.close();
  expect(await running).toBeInstanceOf(Error);
});
