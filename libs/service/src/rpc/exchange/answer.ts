import type { AnswerPart } from '@cadastre/proto/exchange';
import { partBytes, windowBytes } from './bounds.js';

interface Message {
  readonly bytes: Buffer;
  /** Bytes that were sent. */
  sent: number;
  /** Bytes that the client has acknowledged. */
  taken: number;
  readonly onTaken: () => void;
}

/** Writes the messages of an answer in parts, as fast as the client reads them. */
export type AnswerWriter = ReturnType<typeof createAnswerWriter>;

/** Makes a writer for the call with this number. */
export function createAnswerWriter(number: number, send: (part: AnswerPart) => void) {
  const unsent: Message[] = [];
  const untaken: Message[] = [];
  let left = windowBytes;

  const pump = () => {
    while (left > 0) {
      const message = unsent[0];
      if (message === undefined) return;
      const part = message.bytes.subarray(message.sent, message.sent + Math.min(partBytes, left));
      message.sent += part.length;
      left -= part.length;
      const continues = message.sent < message.bytes.length;
      send({ number, message: part, continues, ended: false, failure: undefined });
      if (!continues) unsent.shift();
    }
  };
  return {
    /** Sends a message; calls `onTaken` when the client has read all of it. */
    write(bytes: Buffer, onTaken: () => void): void {
      const message = { bytes, sent: 0, taken: 0, onTaken };
      unsent.push(message);
      untaken.push(message);
      pump();
    },
    /** The client has read bytes. */
    taken(bytes: number): void {
      // Never more than was sent, whatever the client reports.
      let more = Math.min(bytes, windowBytes - left);
      left += more;
      for (;;) {
        const first = untaken[0];
        if (first === undefined) break;
        const step = Math.min(more, first.sent - first.taken);
        first.taken += step;
        more -= step;
        if (first.taken < first.bytes.length) break;
        untaken.shift();
        first.onTaken();
      }
      pump();
    },
  };
}
