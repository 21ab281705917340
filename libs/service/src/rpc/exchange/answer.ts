import type { AnswerPart } from '@cadastre/proto/exchange';
import { partBytes, windowBytes } from './bounds.js';

interface Message {
  readonly bytes: Buffer;
  /** Bytes that were sent. */
  sent: number;
  readonly onSent: () => void;
}

/** Writes the messages of an answer in parts, as fast as the client reads them. */
export type AnswerWriter = ReturnType<typeof createAnswerWriter>;

/** Makes a writer for the call with this number. */
export function createAnswerWriter(number: number, send: (part: AnswerPart) => void) {
  const unsent: Message[] = [];
  /** Bytes that may be sent before the client reports that it has read some. */
  let left = windowBytes;
  let allSent = () => {};

  const pump = () => {
    while (left > 0) {
      const message = unsent[0];
      if (message === undefined) return;
      const part = message.bytes.subarray(message.sent, message.sent + Math.min(partBytes, left));
      message.sent += part.length;
      left -= part.length;
      const continues = message.sent < message.bytes.length;
      send({ number, message: part, continues, ended: false, failure: undefined });
      if (continues) continue;
      unsent.shift();
      message.onSent();
      if (unsent.length === 0) allSent();
    }
  };
  return {
    /** Sends a message; calls `onSent` when all of it is sent. */
    write(bytes: Buffer, onSent: () => void): void {
      unsent.push({ bytes, sent: 0, onSent });
      pump();
    },
    /** Resolves when all messages are sent. */
    sent(): Promise<void> {
      return new Promise((resolve) => {
        if (unsent.length === 0) resolve();
        else allSent = resolve;
      });
    },
    /** The client has read bytes. */
    taken(bytes: number): void {
      // Never more than was sent, whatever the client reports.
      left = Math.min(windowBytes, left + bytes);
      pump();
    },
  };
}
