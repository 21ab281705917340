import type { AnswerMemory } from '../answer-memory.js';
import type { Family } from '../sets/prefix-list.js';
import { prefixTexts, textBytes } from '../sets/prefix-text.js';

/** Done, or nothing to show. */
export const done = Buffer.from('C\n');

/** There is no such object. */
export const notFound = Buffer.from('D\n');

/** The command is wrong. Not for faults of the service: clients go on after it. */
export function failure(text: string): Buffer {
  return Buffer.from(`F ${text}\n`, 'latin1');
}

/** Data in latin-1; the length counts the line end. Without data it is `notFound`. */
export function data(text: string): Buffer {
  if (text === '') return notFound;
  return Buffer.from(`A${text.length + 1}\n${text}\nC\n`, 'latin1');
}

/** Prefixes of a family, as words. */
export interface Prefixes {
  readonly family: Family;
  readonly words: Uint32Array;
}

const end = Buffer.from('\nC\n');
const space = Buffer.from(' ');

/** Bytes of the pieces of a large answer; a smaller one is one piece, and one write: bgpq4 reads some with one read. */
const pieceBytes = 64 * 1024;

/** The texts of prefixes, with a space between two. A large answer is made piece by piece as the client reads. */
export function prefixData(all: readonly Prefixes[], memory: AnswerMemory): Buffer | AsyncIterable<Buffer> {
  const lists = all.filter(({ words }) => words.length > 0);
  if (lists.length === 0) return notFound;
  const length = lists.reduce((sum, { words, family }) => sum + textBytes(words, family), lists.length - 1);
  const head = Buffer.from(`A${length + 1}\n`);
  if (length <= pieceBytes) return Buffer.concat([head, ...texts(lists), end]);
  return large(head, lists, memory);
}

async function* large(head: Buffer, lists: readonly Prefixes[], memory: AnswerMemory): AsyncGenerator<Buffer> {
  const release = memory.take(lists.reduce((sum, { words }) => sum + words.byteLength, 0));
  try {
    yield head;
    yield* texts(lists);
    yield end;
  } finally {
    release();
  }
}

function* texts(lists: readonly Prefixes[]): Generator<Buffer> {
  for (const [n, { words, family }] of lists.entries()) {
    if (n > 0) yield space;
    yield* prefixTexts(words, family, pieceBytes);
  }
}
