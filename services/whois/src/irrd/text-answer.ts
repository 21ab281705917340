import type { MemoryShare } from '@cadastre/service';
import type { Answer, Connection } from '../dialect.js';
import { pausing } from '../turns.js';
import { dataEnd, headOf, notFound } from './answers.js';
import type { SetParts } from './command.js';

/** An answer of texts. It begins with its length, so it is in memory until its client has read it. */
export interface TextAnswer {
  /** Adds texts, in latin-1. Throws when the answer is too large, or memory is short. */
  add(texts: readonly string[]): Promise<void>;
  /** Its bytes; `notFound` without a text. To be read once, or released. */
  body(): Answer['body'];
  release(): void;
}

/** No program waits for a larger answer. */
const maxBytes = 16 * 1024 * 1024;

/** A smaller answer is one piece, and one write. */
const smallBytes = 64 * 1024;

/** A part of the answer, with its memory. */
interface Piece {
  readonly bytes: Buffer;
  readonly share: MemoryShare;
}

/**
 * Makes an empty answer, with `between` two texts. It counts as memory of the client from its first text until the
 * client has read it; a closed connection releases it.
 */
export function createTextAnswer(
  { memory, clientOf, turns }: Pick<SetParts, 'memory' | 'clientOf' | 'turns'>,
  { client, network, signal, giveUp }: Connection,
  between: string,
): TextAnswer {
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
    async add(texts) {
      await pause();
      if (texts.length === 0) return;
      const text = `${length === 0 ? '' : between}${texts.join(between)}`;
      length += text.length;
      if (length > maxBytes) throw new Error(`The answer has more than ${maxBytes} bytes`);
      const share = memory.take(id, text.length);
      pieces.push({ share, bytes: Buffer.from(text, 'latin1') });
    },
    body() {
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
