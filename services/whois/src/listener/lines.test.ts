import { expect, test } from 'vitest';
import { createLineReader, tooLong } from './lines.js';

const interrupt = Buffer.from([0xff, 0xf4, 0xff, 0xfd, 0x06]);

/** All lines of what a client sends in these chunks. */
function linesOf(...chunks: readonly (Buffer | string)[]): (string | symbol)[] {
  const reader = createLineReader();
  const all: (string | symbol)[] = [];
  for (const chunk of chunks) {
    reader.add(Buffer.from(chunk as string, 'latin1'));
    for (let line = reader.next(); line !== undefined; line = reader.next()) {
      all.push(line);
      if (line === tooLong) return all;
    }
  }
  reader.end();
  const last = reader.next();
  return last === undefined ? all : [...all, last];
}

const half = interrupt.subarray(0, 2);

test.each<[string, (Buffer | string)[], (string | symbol)[]]>([
  ['LF and CRLF', ['a\nb\r\n\nc'], ['a', 'b', '', 'c']],
  ['a carriage return alone does not', ['a\rb\n\r'], ['a\rb', '']],
  [
    'the interrupt, whole or in two',
    [Buffer.concat([interrupt, interrupt]), 'a', half, interrupt.subarray(2)],
    ['', '', 'a'],
  ],
  ['an interrupt after many lines', [`a\nb\n${interrupt.toString('latin1')}c\n`], ['a', 'b', '', 'c']],
  ['1,024 bytes, however they come', [...'x'.repeat(1_024), '\r', '\n'], ['x'.repeat(1_024)]],
  ['not 1,025 bytes', ['a\n', 'x'.repeat(1_025), 'x\n'], ['a', tooLong]],
])('ends a line: %s', (_what, chunks, lines) => {
  expect(linesOf(...chunks)).toEqual(lines);
});

const chunkBytes = 64 * 1024;
const endingWith = (unit: Buffer | string, end: Buffer) =>
  Buffer.concat([Buffer.alloc(chunkBytes - end.length, unit as string, 'latin1'), end]);

test.each<[string, Buffer, number]>([
  ['many lines and one interrupt at their end', endingWith('\xff\n', interrupt), chunkBytes / 2 - 2],
  ['many interrupts and one line end', endingWith(interrupt, Buffer.from('\n')), chunkBytes / 5],
  ['lines only', Buffer.alloc(chunkBytes, '\n'), chunkBytes],
])('searches each byte at most once for each kind of end: %s', (_what, chunk, minimum) => {
  let searched = 0;
  const find = chunk.indexOf.bind(chunk) as (mark: Buffer, from: number) => number;
  chunk.indexOf = ((mark: Buffer, from: number) => {
    const found = find(mark, from);
    searched += (found < 0 ? chunk.length : found + mark.length) - from;
    return found;
  }) as typeof chunk.indexOf;
  const reader = createLineReader();
  reader.add(chunk);
  let lines = 0;
  while (reader.next() !== undefined) lines++;
  expect(lines).toBeGreaterThanOrEqual(Math.floor(minimum));
  expect(searched).toBeLessThanOrEqual(2 * chunk.length);
});
