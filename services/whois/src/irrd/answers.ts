import type { AnswerMemory } from '@cadastre/service';
import { type Family, inSteps, wordsEach } from '../sets/prefix-list.js';
import { prefixTexts, textBytes } from '../sets/prefix-text.js';
import type { Pause } from '../turns.js';

/** Done, or nothing to show. */
export const done = Buffer.from('C\n');

/** The object does not exist. */
export const notFound = Buffer.from('D\n');

/** The client is blocked: the text of IRRd. No answer of a command begins like this. */
export const denied = Buffer.from('%% Access denied\n');

/**
 * The set is too large. Not `F`: after that, bgpq4 and bgpq3 make a filter that denies everything, even when the
 * connection is closed. No answer of a command begins like this, so they make none, and show the text.
 */
export function tooLarge(text: string): Buffer {
  return Buffer.from(`%% ${text}\n`, 'latin1');
}

/** The command is wrong. Not for faults of the service: clients continue after it. */
export function failure(text: string): Buffer {
  return Buffer.from(`F ${text}\n`, 'latin1');
}

/** The failure for a source that does not exist: the text of IRRd. */
export const unavailableSources = failure('One or more selected sources are unavailable.');

/** Whether an answer is a failure. */
export function isFailure(answer: Buffer): boolean {
  return answer[0] === failureMark;
}

const failureMark = 'F'.charCodeAt(0);

/** Data in latin-1; the length includes the line end. Without data it is `notFound`. */
export function data(text: string): Buffer {
  if (text === '') return notFound;
  return Buffer.from(`A${text.length + 1}\n${text}\nC\n`, 'latin1');
}

/** Prefixes of a family, as words. */
export interface Prefixes {
  readonly family: Family;
  readonly words: Uint32Array;
}

/** The bytes after data. */
export const dataEnd = Buffer.from('\nC\n');
const space = Buffer.from(' ');

/** Bytes of the pieces of a large answer. */
const pieceBytes = 64 * 1024;
/** Maximum prefixes of one piece, and of one write. */
const fewPrefixes = 5_000;

/** The memory and client of a large answer. */
export interface LargeAnswer {
  readonly memory: AnswerMemory;
  /** The client of the answer. */
  readonly client: string;
  readonly pause: Pause;
  /** Ends the answer when its client reads too slowly. */
  giveUp(): void;
}

/** The texts of prefixes, separated by spaces. A large answer is made piece by piece as the client reads. */
export function prefixData(all: readonly Prefixes[], around: LargeAnswer): Buffer | AsyncIterable<Buffer> {
  const lists = all.filter(({ words }) => words.length > 0);
  if (lists.length === 0) return notFound;
  const prefixes = lists.reduce((sum, { words, family }) => sum + words.length / wordsEach(family), 0);
  if (prefixes > fewPrefixes) return large(lists, around);
  const bytes = lists.reduce((sum, { words, family }) => sum + textBytes(words, family), lists.length - 1);
  return Buffer.concat([headOf(bytes), ...texts(lists), dataEnd]);
}

/** Maximum words in a piece of a large answer. */
const wordsOfPiece = 4_000;
/** Memory of a word of a large answer. */
const wordBytes = 50;

/** Words separated by spaces, in latin-1. A large answer is made piece by piece as the client reads. */
export function wordData(words: readonly string[], around: LargeAnswer): Buffer | AsyncIterable<Buffer> {
  return words.length <= wordsOfPiece ? data(words.join(' ')) : largeWords(words, around);
}

async function* largeWords(
  words: readonly string[],
  { memory, client, pause, giveUp }: LargeAnswer,
): AsyncGenerator<Buffer> {
  const share = memory.take(client, words.length * wordBytes);
  try {
    let bytes = words.length - 1;
    for (const [at, { length }] of words.entries()) {
      bytes += length;
      if (at % wordsOfPiece === 0) await pause();
    }
    const noteRead = share.readUntil(giveUp);
    yield headOf(bytes);
    for (let at = 0; at < words.length; at += wordsOfPiece) {
      const text = words.slice(at, at + wordsOfPiece).join(' ');
      yield Buffer.from(at === 0 ? text : ` ${text}`, 'latin1');
      noteRead(text.length);
    }
    yield dataEnd;
  } finally {
    share.release();
  }
}

/** The line before data of this length. */
export function headOf(bytes: number): Buffer {
  return Buffer.from(`A${bytes + 1}\n`);
}

async function* large(
  lists: readonly Prefixes[],
  { memory, client, pause, giveUp }: LargeAnswer,
): AsyncGenerator<Buffer> {
  const share = memory.take(
    client,
    lists.reduce((sum, { words }) => sum + words.byteLength, 0),
  );
  try {
    let bytes = lists.length - 1;
    for (const { words, family } of lists) {
      // A step omits the space before it.
      bytes--;
      await inSteps(words, wordsEach(family), pause, (from, to) => {
        bytes += 1 + textBytes(words.subarray(from, to), family);
      });
    }
    const noteRead = share.readUntil(giveUp);
    yield headOf(bytes);
    for (const piece of texts(lists)) {
      yield piece;
      noteRead(piece.length);
    }
    yield dataEnd;
  } finally {
    share.release();
  }
}

function* texts(lists: readonly Prefixes[]): Generator<Buffer> {
  for (const [n, { words, family }] of lists.entries()) {
    if (n > 0) yield space;
    yield* prefixTexts(words, family, pieceBytes);
  }
}
