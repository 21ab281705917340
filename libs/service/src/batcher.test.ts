import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { type BatchCall, createBatcher } from './batcher.js';
import { ServiceError } from './errors.js';

interface HeldCall {
  readonly items: string;
  readonly call: BatchCall;
  /** Answers each item with its upper case. */
  answer(): void;
}

const bounds = { size: 3, callsInFlight: 1, deadlineMs: 1_000 };
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A batcher of letters whose calls wait until the test answers them. */
function heldBatcher(o: Partial<typeof bounds> & { bytes?: number; bytesOf?: (item: string) => number } = {}) {
  const calls: HeldCall[] = [];
  const ask = createBatcher<string, string>({
    ...bounds,
    ...o,
    send: (items, call) =>
      new Promise((resolve, reject) => {
        call.signal.addEventListener('abort', () => reject(new ServiceError('cancelled', 'nobody waits')));
        calls.push({
          items: items.join(''),
          call,
          answer: () => resolve(items.map((item) => ({ answer: item.toUpperCase() }))),
        });
      }),
  });
  return { calls, ask };
}

it('gives each item its own outcome', async () => {
  const ask = createBatcher<string, string>({
    ...bounds,
    send: async (items) =>
      items.map((item) => (item === 'x' ? { error: new ServiceError('not-found', 'none') } : { answer: item })),
  });
  const outcomes = await Promise.allSettled(['a', 'x', 'b'].map((item) => ask(item)));
  expect(outcomes).toMatchObject([{ value: 'a' }, { reason: { kind: 'not-found' } }, { value: 'b' }]);
});

it.each([
  ['up to the bytes', ['aa', 'bb', 'c'], 4, ['aabb', 'c']],
  ['one larger item alone', ['aaaaaa', 'b'], 4, ['aaaaaa', 'b']],
  ['at most the number of items', ['a', 'b', 'c', 'd'], 100, ['abc', 'd']],
])('a call takes %s', async (_what, items, bytes, expected) => {
  const { calls, ask } = heldBatcher({ callsInFlight: 9, bytes, bytesOf: (item) => item.length });
  const answers = Promise.all(items.map((item) => ask(item)));
  await nextTurn();
  expect(calls.map((call) => call.items)).toEqual(expected);
  for (const call of calls) call.answer();
  expect((await answers).join('')).toBe(items.join('').toUpperCase());
});

it('does not send an item whose caller gave up, and answers the others', async () => {
  const { calls, ask } = heldBatcher({ size: 1 });
  const first = ask('a');
  const leaving = new AbortController();
  const left = ask('b', leaving.signal);
  const last = ask('c');
  await nextTurn();
  leaving.abort();
  await expect(left).rejects.toMatchObject({ kind: 'cancelled' });
  calls[0]!.answer();
  expect(await first).toBe('A');
  await nextTurn();
  calls[1]!.answer();
  expect(await last).toBe('C');
  expect(calls.map((call) => call.items)).toEqual(['a', 'c']);
});

it('cancels a call when nobody waits for any of its items, not before', async () => {
  const { calls, ask } = heldBatcher();
  const [one, other] = [new AbortController(), new AbortController()];
  const answers = Promise.allSettled([ask('a', one.signal), ask('b', other.signal)]);
  await nextTurn();
  one.abort();
  expect(calls[0]!.call.signal.aborted).toBe(false);
  other.abort();
  expect(calls[0]!.call.signal.aborted).toBe(true);
  expect(await answers).toMatchObject([{ reason: { kind: 'cancelled' } }, { reason: { kind: 'cancelled' } }]);
});

it('leaves nothing at a signal that many items share', async () => {
  const { calls, ask } = heldBatcher();
  const { signal } = new AbortController();
  const answers = Promise.all([ask('a', signal), ask('b', signal)]);
  await nextTurn();
  calls[0]!.answer();
  await answers;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('refuses an item whose caller has given up already', async () => {
  const { calls, ask } = heldBatcher();
  await expect(ask('a', AbortSignal.abort())).rejects.toMatchObject({ kind: 'cancelled' });
  await nextTurn();
  expect(calls).toEqual([]);
});
