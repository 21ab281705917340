import { type BatchLookupRequest, type LookupAnswer, LookupStatus } from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import { ServiceError } from '@cadastre/service';
import { expect, it, vi } from 'vitest';
import { createLookupBatcher } from './lookup-batcher.js';

const limits = { size: 3, callsInFlight: 2, deadlineMs: 1_000 };

function lookup(key: string) {
  return { key: { source: 'TEST', type: 'mntner', key }, view: View.VIEW_FILTERED, withContacts: false };
}

function answers(request: BatchLookupRequest): { answers: LookupAnswer[] } {
  return {
    answers: request.lookups.map(({ key }) => ({
      status: LookupStatus.LOOKUP_STATUS_FOUND,
      object: { ...key!, text: '', revision: 1, serial: 1n, contacts: [], tags: [] },
    })),
  };
}

const keysOf = (found: readonly LookupAnswer[]) => found.map((answer) => answer.object?.key);

/** A reader whose calls wait until the test answers them. */
function heldReader() {
  const calls: { keys: (string | undefined)[]; deadlineMs: number | undefined; answer(): void; fail(): void }[] = [];
  const batchLookup = (request: BatchLookupRequest, options?: { deadlineMs?: number }) =>
    new Promise<{ answers: LookupAnswer[] }>((resolve, reject) => {
      calls.push({
        keys: request.lookups.map(({ key }) => key?.key),
        deadlineMs: options?.deadlineMs,
        answer: () => resolve(answers(request)),
        fail: () => reject(new ServiceError('unavailable', 'away')),
      });
    });
  return { calls, batchLookup };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it('sends the lookups of one turn in one call and returns each answer separately', async () => {
  const reader = heldReader();
  const lookUp = createLookupBatcher(reader, limits);
  const found = Promise.all([lookUp(lookup('A')), lookUp(lookup('B'))]);
  await nextTurn();
  expect(reader.calls.map((call) => call.keys)).toEqual([['A', 'B']]);
  reader.calls[0]?.answer();
  expect(keysOf(await found)).toEqual(['A', 'B']);
});

it('splits at the size of a batch and has no more concurrent calls than allowed', async () => {
  const reader = heldReader();
  const lookUp = createLookupBatcher(reader, limits);
  const found = Promise.all([...'ABCDEFGH'].map((key) => lookUp(lookup(key))));
  await nextTurn();
  expect(reader.calls.map((call) => call.keys.join(''))).toEqual(['ABC', 'DEF']);
  reader.calls[1]?.answer();
  await nextTurn();
  expect(reader.calls.map((call) => call.keys.join(''))).toEqual(['ABC', 'DEF', 'GH']);
  reader.calls[2]?.answer();
  reader.calls[0]?.answer();
  expect(keysOf(await found).join('')).toBe('ABCDEFGH');
});

it('gathers lookups while two calls are young, but not behind a slow call', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const reader = heldReader();
    const lookUp = createLookupBatcher(reader, { ...limits, callsInFlight: 8 });
    const found: Promise<LookupAnswer>[] = [];
    const askInTurns = async (keys: string) => {
      for (const key of keys) {
        found.push(lookUp(lookup(key)));
        await nextTurn();
      }
    };
    const sent = () => reader.calls.map((call) => call.keys.join(''));
    await askInTurns('ABCD');
    expect(sent()).toEqual(['A', 'B']);
    reader.calls[1]?.answer();
    await nextTurn();
    expect(sent()).toEqual(['A', 'B', 'CD']);
    await askInTurns('EF');
    expect(sent()).toEqual(['A', 'B', 'CD']);
    vi.runAllTimers();
    expect(sent()).toEqual(['A', 'B', 'CD', 'EF']);
    for (const call of reader.calls) call.answer();
    expect(keysOf(await Promise.all(found)).join('')).toBe('ABCDEF');
  } finally {
    vi.useRealTimers();
  }
});

it('lets the error of a call fall on its members only', async () => {
  const reader = heldReader();
  const lookUp = createLookupBatcher(reader, limits);
  const found = Promise.allSettled([...'ABCD'].map((key) => lookUp(lookup(key))));
  await nextTurn();
  reader.calls[0]?.fail();
  reader.calls[1]?.answer();
  expect((await found).map((one) => one.status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled']);
});

it('refuses an answer that does not match its questions', async () => {
  const lookUp = createLookupBatcher({ batchLookup: async () => ({ answers: [] }) }, limits);
  await expect(lookUp(lookup('A'))).rejects.toMatchObject({ kind: 'internal' });
});

it('counts the time in the queue: a lookup that waited too long fails without a call', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1000);
  try {
    const reader = heldReader();
    const lookUp = createLookupBatcher(reader, { size: 1, callsInFlight: 1, deadlineMs: 20 });
    const found = Promise.allSettled([lookUp(lookup('A')), lookUp(lookup('B'))]);
    await nextTurn();
    clock.mockReturnValue(1021);
    reader.calls[0]?.answer();
    expect(await found).toMatchObject([{ status: 'fulfilled' }, { reason: { kind: 'timeout' } }]);
    expect(reader.calls.map(({ keys, deadlineMs }) => [keys, deadlineMs])).toEqual([[['A'], 20]]);
  } finally {
    clock.mockRestore();
  }
});

it('repeats lookups that did not fit into the answer before all others, and returns each outcome separately', async () => {
  const requested: string[] = [];
  const batchLookup = async ({ lookups }: BatchLookupRequest) => {
    requested.push(lookups.map(({ key }) => key!.key).join(''));
    const found = answers({ lookups }).answers;
    // The first lookup always gets an answer; here two others as well.
    return {
      answers: found.map((answer, at) => {
        if (answer.object!.key === 'X') return { status: LookupStatus.LOOKUP_STATUS_UNREADABLE };
        return at < 3 ? answer : { status: LookupStatus.LOOKUP_STATUS_ASK_AGAIN };
      }),
    };
  };
  const lookUp = createLookupBatcher({ batchLookup }, { size: 5, callsInFlight: 1, deadlineMs: 1_000 });
  const outcomes = await Promise.allSettled([...'ABXCDEFG'].map((key) => lookUp(lookup(key))));
  expect(requested).toEqual(['ABXCD', 'CDEFG', 'FG']);
  expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value.object?.key : one.reason.kind))).toEqual([
    ...['A', 'B', 'internal', 'C', 'D', 'E', 'F', 'G'],
  ]);
});

it('sets the deadline of a call by its youngest lookup: a repeated one does not shorten that of others', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1000);
  try {
    const deadlines: (number | undefined)[] = [];
    const again = { answers: [{ status: LookupStatus.LOOKUP_STATUS_ASK_AGAIN }] };
    const gate = Promise.withResolvers<void>();
    const batchLookup = async (request: BatchLookupRequest, options?: { deadlineMs?: number }) => {
      deadlines.push(options?.deadlineMs);
      if (deadlines.length > 1) return answers(request);
      await gate.promise;
      return again;
    };
    const lookUp = createLookupBatcher({ batchLookup }, { size: 5, callsInFlight: 1, deadlineMs: 100 });
    const old = lookUp(lookup('A'));
    await nextTurn();
    clock.mockReturnValue(1090);
    const young = lookUp(lookup('B'));
    gate.resolve();
    expect(keysOf(await Promise.all([old, young]))).toEqual(['A', 'B']);
    expect(deadlines).toEqual([100, 100]);
  } finally {
    clock.mockRestore();
  }
});
