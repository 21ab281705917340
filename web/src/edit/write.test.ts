import { expect, test } from 'vitest';
import type { WriteAnswer } from '../api/objects.js';
import { messagesOf, RequestFailed } from '../api/registry.js';
import { writeOnce } from './write.js';

const lost = new RequestFailed(0, [{ severity: 'Error', text: 'The registry cannot be reached.' }]);
const stored: WriteAnswer = { status: 200, messages: [] };
const running = new RequestFailed(409, [], { retryAfterSeconds: 1 });
const exists: WriteAnswer = { status: 409, messages: [{ severity: 'Error', text: 'the object already exists' }] };

/** Writes with these results, one after another. */
async function writing(...results: (WriteAnswer | Error)[]) {
  const pauses: number[] = [];
  let reported = 0;
  let requests = 0;
  const perform = async () => {
    const result = results[requests++]!;
    if (result instanceof Error) throw result;
    return result;
  };
  const pause = async (ms: number) => void pauses.push(ms);
  const outcome = await writeOnce(perform, () => reported++, pause).catch((error: unknown) => error);
  expect([reported, requests]).toEqual([pauses.length, pauses.length + 1]);
  return { outcome, pauses };
}

test('a write with a response is not retried', async () => {
  expect(await writing(stored)).toEqual({ outcome: stored, pauses: [] });
  expect(await writing(exists)).toEqual({ outcome: exists, pauses: [] });
});

test('a write whose response is lost is retried, with growing pauses', async () => {
  const { outcome, pauses } = await writing(lost, new RequestFailed(503, []), running, stored);
  expect(outcome).toBe(stored);
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
});

test('a permanent failure ends it', async () => {
  const failure = new RequestFailed(403, []);
  expect(await writing(lost, failure)).toMatchObject({ outcome: failure });
});

test('it gives up after half a minute, and says that a retry is safe', async () => {
  const { outcome, pauses } = await writing(...Array.from({ length: 6 }, () => lost));
  expect(pauses).toHaveLength(5);
  expect(messagesOf(outcome).map(({ text }) => text)).toEqual([
    'The registry cannot be reached.',
    'It is not known whether this is saved. Try again: the registry saves it only once.',
  ]);
});
