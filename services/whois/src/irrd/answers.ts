import type { AnswerMemory, MemoryShare } from '@cadastre/service';
import { type Answer, type Connection, type ConnectionState, nothing } from '../dialect.js';
import type { SetTools } from '../sets/expansion.js';
import { type Family, inSteps, wordsEach } from '../sets/prefix-list.js';
import { prefixTexts, textBytes } from '../sets/prefix-text.js';
import type { RoaRoutes } from '../sets/roa-routes.js';
import { type Pause, pausing } from '../turns.js';

/** Answers a command; `argument` is what follows its letter. */
export type Command = (argument: string, state: ConnectionState, connection: Connection) => Answer | Promise<Answer>;

/** The dependencies of the commands about sets and prefixes. */
export interface SetParts extends SetTools {
  /** The routes of `Context.roaSource`, which the index has, too. */
  readonly roaRoutes: RoaRoutes | undefined;
  /** The identifier of the client at an address. */
  clientOf(address: string): string;
}

/** A command that needs an argument. */
export function withArgument(letter: string, command: Command): Command {
  return (argument, state, connection) =>
    argument === ''
      ? { body: failure(`Missing parameter for ${letter} query`), state }
      : command(argument, state, connection);
}

/** No answer at all. */
export function silent(state: ConnectionState): Answer {
  return { body: nothing, state };
}

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
const dataEnd = Buffer.from('\nC\n');
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
  if (prefixes > fewPrefixes) {
    const held = lists.reduce((sum, { words }) => sum + words.byteLength, 0);
    return large(around, held, () => largeBytes(lists, around.pause), texts(lists));
  }
  const bytes = lists.reduce((sum, { words, family }) => sum + textBytes(words, family), lists.length - 1);
  return Buffer.concat([headOf(bytes), ...texts(lists), dataEnd]);
}

/** Bytes of the texts of many prefixes, counted in steps. */
async function largeBytes(lists: readonly Prefixes[], pause: Pause): Promise<number> {
  let bytes = lists.length - 1;
  for (const { words, family } of lists) {
    // A step omits the space before it.
    bytes--;
    await inSteps(words, wordsEach(family), pause, (from, to) => {
      bytes += 1 + textBytes(words.subarray(from, to), family);
    });
  }
  return bytes;
}

/** Maximum words in a piece of a large answer. */
const wordsOfPiece = 4_000;
/** Memory of a word of a large answer. */
const wordBytes = 50;

/** Words separated by spaces, in latin-1. A large answer is made piece by piece as the client reads. */
export function wordData(words: readonly string[], around: LargeAnswer): Buffer | AsyncIterable<Buffer> {
  if (words.length <= wordsOfPiece) return data(words.join(' '));
  const measure = async () => {
    let bytes = words.length - 1;
    for (const [at, { length }] of words.entries()) {
      bytes += length;
      if (at % wordsOfPiece === 0) await around.pause();
    }
    return bytes;
  };
  return large(around, words.length * wordBytes, measure, wordPieces(words));
}

function* wordPieces(words: readonly string[]): Generator<Buffer> {
  for (let at = 0; at < words.length; at += wordsOfPiece) {
    const text = words.slice(at, at + wordsOfPiece).join(' ');
    yield Buffer.from(at === 0 ? text : ` ${text}`, 'latin1');
  }
}

/** The line before data of this length. */
function headOf(bytes: number): Buffer {
  return Buffer.from(`A${bytes + 1}\n`);
}

/** Pieces of data whose bytes `measure` counts; it has `held` bytes in memory until its client has read it. */
async function* large(
  { memory, client, giveUp }: LargeAnswer,
  held: number,
  measure: () => Promise<number>,
  pieces: Iterable<Buffer>,
): AsyncGenerator<Buffer> {
  const share = memory.take(client, held);
  try {
    const bytes = await measure();
    const noteRead = share.readUntil(giveUp);
    yield headOf(bytes);
    for (const piece of pieces) {
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

/** No program waits for a larger answer. */
const maxBytes = 16 * 1024 * 1024;

/** A smaller answer is one piece, and one write. */
const smallBytes = 64 * 1024;

const betweenTexts = '\n\n';

/** A part of the answer, with its memory. */
interface Piece {
  readonly bytes: Buffer;
  readonly share: MemoryShare;
}

/**
 * Makes an empty answer of texts, with an empty line between two. It begins with its length, so it is in memory, which
 * counts for the client, from its first text until the client has read it; a closed connection releases it.
 */
export function createTextAnswer(
  { memory, clientOf, turns }: Pick<SetParts, 'memory' | 'clientOf' | 'turns'>,
  { client, network, signal, giveUp }: Connection,
) {
  const id = clientOf(client);
  const pause = pausing(turns, network, signal);
  const pieces: Piece[] = [];
  let length = 0;
  const release = () => {
    signal.removeEventListener('abort', release);
    for (const { share } of pieces.splice(0)) share.release();
  };
  signal.addEventListener('abort', release);
  return {
    release,
    /** Adds texts, in latin-1. Throws when the answer is too large, or memory is short. */
    async add(texts: readonly string[]): Promise<void> {
      await pause();
      if (texts.length === 0) return;
      const text = `${length === 0 ? '' : betweenTexts}${texts.join(betweenTexts)}`;
      length += text.length;
      if (length > maxBytes) throw new Error(`The answer has more than ${maxBytes} bytes`);
      const share = memory.take(id, text.length);
      pieces.push({ share, bytes: Buffer.from(text, 'latin1') });
    },
    /** Its bytes; `notFound` without a text. To be read once, or released. */
    body(): Answer['body'] {
      const all = pieces.map(({ bytes }) => bytes);
      if (length > smallBytes) return piecesOf();
      release();
      return length === 0 ? notFound : Buffer.concat([headOf(length), ...all, dataEnd]);
    },
  };
  async function* piecesOf(): AsyncGenerator<Buffer> {
    try {
      // The last one is released last: a slow reader can be closed while anything is in memory.
      const noteRead = pieces.at(-1)?.share.readUntil(() => {
        release();
        giveUp();
      });
      yield headOf(length);
      for (let next = pieces.shift(); next !== undefined; next = pieces.shift()) {
        try {
          yield next.bytes;
        } finally {
          next.share.release();
        }
        noteRead?.(next.bytes.length);
      }
      yield dataEnd;
    } finally {
      release();
    }
  }
}
