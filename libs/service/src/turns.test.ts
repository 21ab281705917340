import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { createTurns, type Turns } from './turns.js';

afterEach(() => vi.restoreAllMocks());

/**
 * Searches that read until the test ends them, and the order of their reads. No read takes time on the clock that
 * measures them: on a busy machine one of them could take long, and its client would come later.
 */
function searchesWith(turns: Turns) {
  vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const reads: string[] = [];
  let reading = 0;
  let max = 0;
  async function* pages(client: string, count: number, signal: AbortSignal) {
    const mine = turns.of(client, signal);
    yield* mine.present(
      (async function* () {
        for (let page = 0; page < count; page++) {
          yield await mine.read(async () => {
            reads.push(client);
            max = Math.max(max, ++reading);
            await turn();
            reading--;
          });
        }
      })(),
    );
  }
  const search = async (client: string, count: number, signal = new AbortController().signal) => {
    for await (const _page of pages(client, count, signal));
  };
  return { reads, search, max: () => max };
}

test.each([1, 2, 8])(
  '16 searches of one client get as many reads as the one of another, of %s at once',
  async (atOnce) => {
    const { reads, search } = searchesWith(createTurns(atOnce));
    const greedy = Array.from({ length: 16 }, () => search('greedy', 20));
    await search('modest', 20);
    const counts = Map.groupBy(reads, (client) => client);
    expect(counts.get('modest')).toHaveLength(20);
    // Includes the reads that had begun when the other client came.
    expect(Math.abs(counts.get('greedy')!.length - 20)).toBeLessThanOrEqual(atOnce + 1);
    await Promise.all(greedy);
    expect(reads).toHaveLength(17 * 20);
  },
);

test('clients take turns, however many searches each has', async () => {
  const { reads, search } = searchesWith(createTurns(1));
  await Promise.all(['a', 'a', 'a', 'b', 'b', 'c'].map((client) => search(client, 3)));
  expect(reads.join('').slice(0, 10)).toBe('aabcabcabc'.slice(0, 10));
});

test('a client that searches alone has all reads', async () => {
  const { search, max } = searchesWith(createTurns(4));
  await Promise.all(Array.from({ length: 6 }, () => search('alone', 5)));
  expect(max()).toBe(4);
});

test('a client that reads alone has as many reads as it may have', async () => {
  const { search, max } = searchesWith(createTurns(4, 1));
  await Promise.all(Array.from({ length: 6 }, () => search('alone', 5)));
  expect(max()).toBe(1);
});

test('the time of reads is that of their work, not of waiting', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const turns = createTurns(1);
  const [first, second] = ['a', 'b'].map((client) => turns.of(client, new AbortController().signal));
  const ended = Promise.withResolvers<void>();
  const reads = [first!.read(() => ended.promise), second!.read(async () => {})];
  now.mockReturnValue(1_020);
  ended.resolve();
  await Promise.all(reads);
  expect([first, second, first].map((one) => one!.takeSpentMs())).toEqual([20, 0, 0]);
});

test('waiting reads can be cancelled, and delay no one else', async () => {
  const { reads, search } = searchesWith(createTurns(1));
  const gone = new AbortController();
  const first = search('a', 3);
  const givenUp = search('b', 3, gone.signal);
  const last = search('c', 3);
  gone.abort(new Error('gone'));
  await expect(givenUp).rejects.toThrow('gone');
  await Promise.all([first, last]);
  expect(reads.filter((client) => client !== 'b')).toHaveLength(6);
  expect(reads).not.toContain('b');
});

test('a failed read frees its place', async () => {
  const turns = createTurns(1).of('a', new AbortController().signal);
  await expect(turns.read(() => Promise.reject(new Error('no index')))).rejects.toThrow('no index');
  expect(await turns.read(async () => 'read')).toBe('read');
});

test('clients whose reads were slow come after others, with half of the reads, and rest', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const turns = createTurns(2);
  const begun: string[] = [];
  /** Starts a read. The returned function ends it after a time on the clock that measures reads. */
  const start = (client: string) => {
    const end = Promise.withResolvers<void>();
    const read = turns.of(client, new AbortController().signal).read(() => {
      begun.push(client);
      return end.promise;
    });
    return (ms: number) => {
      now.mockReturnValue(performance.now() + ms);
      end.resolve();
      return read;
    };
  };
  const [slow, quick] = ['slow', 'quick'].map(start);
  await quick!(0);
  await slow!(50);
  const [otherSlow, otherQuick] = ['other slow', 'quick'].map(start);
  await otherQuick!(0);
  await otherSlow!(50);
  begun.splice(0);

  const held = start('quick');
  const first = start('slow');
  const second = start('other slow');
  const third = start('newcomer');
  await held(0);
  await expect.poll(() => begun).toEqual(['quick', 'newcomer', 'slow']);
  await first(50);
  expect(begun).not.toContain('other slow');
  await expect.poll(() => begun).toContain('other slow');
  await third(0);
  await second(0);
});
