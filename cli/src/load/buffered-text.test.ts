import { expect, test } from 'vitest';
import { keepText } from './buffered-text.js';

const text = 'one\ntwo\n\nthree\nfour';
const lines = ['one\n', 'two\n', '\n', 'three\n', 'four'];

async function* pieces(size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
}

async function read(from: AsyncIterable<Buffer>): Promise<string> {
  let all = '';
  for await (const piece of from) all += piece;
  return all;
}

test.each([1, 2, 3, 5, 8, 100])(
  'text in pieces of %i bytes is read from any line on, again and again',
  async (size) => {
    for (let line = 1; line <= lines.length + 1; line++) {
      const stored = keepText(pieces(size), 1000);
      const rest = lines.slice(line - 1).join('');
      expect(await read(stored.from(line))).toBe(rest);
      expect(await read(stored.from(line))).toBe(rest);
      expect(await read(stored.from(1))).toBe(text);
    }
  },
);

test.each([1, 2, 3, 5, 8, 100])('in pieces of %i bytes, what was not forgotten is still there', async (size) => {
  for (let line = 1; line <= lines.length; line++) {
    const stored = keepText(pieces(size), 1000);
    await read(stored.from(1));
    stored.forget(line);
    expect([stored.has(line), await read(stored.from(line))]).toEqual([true, lines.slice(line - 1).join('')]);
  }
});

test('only the newest bytes are kept', async () => {
  const stored = keepText(pieces(4), 8);
  await read(stored.from(1));
  expect([1, 2, 3, 4, 5].map(stored.has)).toEqual([false, false, false, false, true]);
});

test('a reader takes the place of one that still waits for text', async () => {
  const arrived = Promise.withResolvers<void>();
  async function* late(): AsyncGenerator<Buffer> {
    yield Buffer.from('one\n');
    await arrived.promise;
    yield Buffer.from('two\n');
  }
  const stored = keepText(late(), 1000);
  const abandoned = stored.from(1);
  await abandoned.next();
  const waiting = abandoned.next();
  const next = read(stored.from(1));
  arrived.resolve();
  expect(await next).toBe('one\ntwo\n');
  expect(String((await waiting).value)).toBe('two\n');
});
