import { expect, test, vi } from 'vitest';
import type { BatchAnswer, BatchResult } from '../api/batch.js';
import { RequestFailed } from '../api/registry.js';
import { performAll, transactionsOf, tryAll } from './transactions.js';

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

function answer(status: number, outcome: BatchResult['outcome'], objects: readonly number[]): BatchAnswer {
  return { status, messages: [], results: objects.map(() => ({ outcome, messages: [] })) };
}

test.each([
  [0, []],
  [1, [1]],
  [100, [100]],
  [101, [100, 1]],
  [250, [100, 100, 50]],
])('%d objects are written in transactions of %j', (count, sizes) => {
  const transactions = transactionsOf(numbers(count));
  expect(transactions.map(({ length }) => length)).toEqual(sizes);
  expect(transactions.flat()).toEqual(numbers(count));
});

test('dry runs of several transactions have one result for each object, and the first refusal', async () => {
  const all = transactionsOf(numbers(150));
  const accepted = await tryAll(all, async (objects) => answer(200, 'modified', objects));
  expect([accepted.status, accepted.results.length]).toEqual([200, 150]);
  const refused = await tryAll(all, async (objects) => answer(objects.length < 100 ? 412 : 200, 'stale', objects));
  expect([refused.status, refused.results.length]).toEqual([412, 150]);
  const whole: BatchAnswer = { status: 401, messages: [{ severity: 'Error', text: 'Sign in' }], results: [] };
  const perform = vi.fn(async () => whole);
  expect(await tryAll(all, perform)).toEqual(whole);
  expect(perform).toHaveBeenCalledTimes(1);
});

/** What each transaction gets: a status, or no answer. */
test.each<[name: string, outcomes: (number | 'none')[], stored: number[], why: string[]]>([
  ['all succeed', [200, 200, 200], numbers(250), []],
  [
    'one is refused, and those after it are tried',
    [200, 412, 200],
    [...numbers(100), ...numbers(250).slice(200)],
    ['Transaction 2 of 3 was refused: none of its 100 objects is saved. See below what the registry refuses.'],
  ],
  [
    'one has no answer, and those after it are not tried',
    [200, 'none', 200],
    numbers(100),
    ['Transaction 2 of 3 failed; the 50 objects after it are not tried.', 'The registry cannot be reached.'],
  ],
  [
    'the last one has no answer',
    [200, 200, 'none'],
    numbers(200),
    ['Transaction 3 of 3 failed.', 'The registry cannot be reached.'],
  ],
])('%s', async (_name, outcomes, stored, why) => {
  const outcome = await performAll(transactionsOf(numbers(250)), async (objects, at) => {
    const status = outcomes[at]!;
    if (status === 'none') throw new RequestFailed(0, [{ severity: 'Error', text: 'The registry cannot be reached.' }]);
    return answer(status, status === 200 ? 'modified' : 'stale', objects);
  });
  expect(outcome.stored).toEqual(stored);
  expect(outcome.results).toHaveLength(stored.length);
  expect(outcome.why.map(({ text }) => text)).toEqual(why);
});

test('one transaction says only that nothing is saved', async () => {
  const refused = await performAll([[1, 2]], async (objects) => answer(412, 'stale', objects));
  expect(refused.why.map(({ text }) => text)).toEqual(['Nothing is saved. See below what the registry refuses.']);
});
