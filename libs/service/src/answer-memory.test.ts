import { describe, expect, test } from 'vitest';
import { createAnswerMemory } from './answer-memory.js';

const kilobyte = 1024;

/** An account of 100 bytes, with a clock. */
function account() {
  let time = 0;
  const gone: string[] = [];
  const memory = createAnswerMemory({ maxBytes: 100, maxBytesPerClient: 1_000, now: () => time });
  return {
    gone,
    wait(ms: number) {
      time += ms;
    },
    take: (bytes: number) => memory.take('192.0.2.1', bytes),
    /** Takes bytes for a reader, and returns the function that reports its reading. */
    read: (bytes: number, name: string) => memory.take('192.0.2.1', bytes).readUntil(() => void gone.push(name)),
  };
}

test('memory that is given back can be taken again, and counts once', () => {
  const { take } = account();
  const share = take(100);
  expect(() => take(1)).toThrow('Too many large answers');
  share.release();
  share.release();
  take(100);
  expect(() => take(1)).toThrow('Too many large answers');
});

describe('a reader is closed', () => {
  test('when it took less than 64 KiB per second for ten seconds, and there is no room', () => {
    const { take, read, wait, gone } = account();
    read(60, 'slow')(639 * kilobyte);
    wait(10_000);
    take(40);
    expect(gone).toEqual([]);
    take(60);
    expect(gone).toEqual(['slow']);
  });

  test.each<[string, (noteRead: (bytes: number) => void, wait: (ms: number) => void) => void]>([
    ['fast enough', (noteRead, wait) => [wait(5_000), noteRead(641 * kilobyte), wait(5_000)]],
    ['new', (_noteRead, wait) => wait(9_999)],
    [
      'fast in its last ten seconds',
      (noteRead, wait) => [wait(60_000), noteRead(1), wait(9_999), noteRead(700 * kilobyte), wait(1)],
    ],
  ])('not one that is %s', (_what, does) => {
    const { take, read, wait, gone } = account();
    does(read(100, 'reader'), wait);
    expect(() => take(1)).toThrow('Too many large answers');
    expect(gone).toEqual([]);
  });

  test('also when it became slow later', () => {
    const { take, read, wait, gone } = account();
    const noteRead = read(100, 'reader');
    wait(10_000);
    noteRead(10_000 * kilobyte);
    wait(10_000);
    noteRead(kilobyte);
    wait(1);
    take(1);
    expect(gone).toEqual(['reader']);
  });

  test('the slowest first, and no more than necessary; not one that still waits for its answer', () => {
    const { take, read, wait, gone } = account();
    take(40);
    read(20, 'slow')(2);
    read(20, 'slowest')(1);
    read(20, 'slower')(1.5);
    wait(10_000);
    take(30);
    expect(gone).toEqual(['slowest', 'slower']);
    expect(() => take(40)).toThrow('Too many large answers');
    expect(gone).toEqual(['slowest', 'slower', 'slow']);
  });
});

describe('a client', () => {
  test('has a third of the memory', () => {
    const memory = createAnswerMemory({ maxBytes: 90 });
    memory.take('192.0.2.1', 30);
    expect(() => memory.take('192.0.2.1', 1)).toThrow('wait for this client');
    memory.take('192.0.2.2', 30);
  });

  test('with a small answer gets it when large answers of others take all that they may', () => {
    const large = 1024 * kilobyte;
    const memory = createAnswerMemory({ maxBytes: 8 * large });
    for (let n = 1; n <= 7; n++) memory.take(`192.0.2.${n}`, large);
    expect(() => memory.take('198.51.100.1', large)).toThrow('Too many large answers');
    for (let n = 0; n < 4; n++) memory.take('198.51.100.1', 64 * kilobyte);
    expect(() => memory.take('198.51.100.1', 1)).toThrow('Too many large answers');
    memory.take('198.51.100.2', 256 * kilobyte);
  });

  test('that reads slowly loses its own answers first', () => {
    let time = 0;
    const closed: string[] = [];
    const memory = createAnswerMemory({ maxBytes: 90, now: () => time });
    memory.take('192.0.2.1', 30).readUntil(() => void closed.push('own'));
    memory.take('192.0.2.2', 30).readUntil(() => void closed.push('other'));
    time = 10_000;
    memory.take('192.0.2.1', 30);
    expect(closed).toEqual(['own']);
  });
});
