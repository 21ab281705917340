import type { AnswerPart } from '@cadastre/proto/exchange';
import { expect, test } from 'vitest';
import { createAnswerWriter } from './answer.js';
import { partBytes, windowBytes } from './bounds.js';

function writerWith() {
  const parts: AnswerPart[] = [];
  const sent: string[] = [];
  const writer = createAnswerWriter(1, (part) => parts.push(part));
  return {
    parts,
    sent,
    write: (name: string, bytes: number) => writer.write(Buffer.alloc(bytes), () => sent.push(name)),
    allSent: writer.sent,
    taken: writer.taken,
    sentBytes: () => parts.reduce((sum, { message }) => sum + message!.length, 0),
  };
}

test('does not wait for reports about messages that fit, nor about empty ones, which a stream may send for years', () => {
  const { write, sent, parts } = writerWith();
  write('empty', 0);
  write('small', 10);
  write('empty again', 0);
  expect(sent).toEqual(['empty', 'small', 'empty again']);
  expect(parts.map(({ message, continues }) => [message!.length, continues])).toEqual([
    [0, false],
    [10, false],
    [0, false],
  ]);
});

test('sends no more than the window before the client reports, in parts', () => {
  const { write, sent, parts, taken, sentBytes } = writerWith();
  write('large', 2 * windowBytes);
  write('next', 1);
  expect(sentBytes()).toBe(windowBytes);
  expect(Math.max(...parts.map(({ message }) => message!.length))).toBe(partBytes);
  taken(windowBytes - 1);
  expect(sent).toEqual([]);
  taken(1);
  expect([sentBytes(), sent]).toEqual([2 * windowBytes, ['large']]);
  taken(partBytes);
  expect(sent).toEqual(['large', 'next']);
});

test('knows when all is sent', async () => {
  const { write, allSent, taken } = writerWith();
  await allSent();
  write('large', windowBytes + 1);
  let isSent = false;
  const sending = allSent().then(() => (isSent = true));
  await Promise.resolve();
  expect(isSent).toBe(false);
  taken(1);
  await sending;
});

test('believes no report of more than was sent', () => {
  const { write, taken, sentBytes } = writerWith();
  taken(10 * windowBytes);
  write('large', 3 * windowBytes);
  expect(sentBytes()).toBe(windowBytes);
  taken(10 * windowBytes);
  expect(sentBytes()).toBe(2 * windowBytes);
});
