import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { networksOf } from '@cadastre/limits';
import type { SetServiceService } from '@cadastre/proto/whois';
import { type AnswerMemory, failureMessage, type Handlers, plainAddress, ServiceError } from '@cadastre/service';
import type { Answer, ConnectionState, Dialect } from '../dialect.js';
import { readIrrdLine } from '../dialects.js';
import { maxLineBytes } from '../listener/lines.js';
import { smallBytes } from '../listener/writer.js';

/** The dependencies of the method. */
export interface AnswerLineOptions {
  readonly dialect: Dialect;
  /** The state of a new connection. */
  readonly initial: ConnectionState;
  /** Memory of the pieces that clients have not read. */
  readonly memory: AnswerMemory;
  /** The identifier of the client at an address in `memory`. */
  clientOf(address: string): string;
}

/**
 * Streams the answer of port 43 to a line; makes a message when the client has read the one before. When others need its
 * memory and the client reads slowly, releases the rest immediately, because the next read may never come; that read
 * throws a ServiceError (unavailable).
 */
export function answerLine({
  dialect,
  initial,
  memory,
  clientOf,
}: AnswerLineOptions): Handlers<typeof SetServiceService>['answerLine'] {
  return async function* ({ line, clientAddress }, { signal }) {
    if (isIP(clientAddress) === 0) throw invalid('No IP address of a client');
    if (/[\r\n]/.test(line)) throw invalid('More than one line');
    if (Buffer.byteLength(line) > maxLineBytes) throw invalid('The line is too long');
    const client = plainAddress(clientAddress);
    const end = new AbortController();
    let pieces: AsyncIterator<Buffer> | undefined;
    const giveUp = () => {
      end.abort(new ServiceError('unavailable', 'The answer was read too slowly'));
      void pieces?.return?.().catch(() => {});
    };
    let isIncomplete = false;
    const connection = {
      client,
      network: networksOf(client).prefix,
      signal: AbortSignal.any([signal, end.signal]),
      giveUp,
      endAfterAnswer: () => {
        isIncomplete = true;
      },
    };
    // A command that has data counts as one of many on an open connection: the request has been counted.
    const { body } = await dialect(line, { ...initial, irrd: { ...initial.irrd, isOpen: true } }, connection);
    const all = readIrrdLine(line) === undefined ? piecesOf(body) : dataOf(piecesOf(body));
    pieces = all[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value: data } = await pieces.next();
        end.signal.throwIfAborted();
        if (done) break;
        const share = data.length > smallBytes ? memory.take(clientOf(client), data.length) : undefined;
        share?.readUntil(giveUp);
        try {
          yield { data };
        } finally {
          share?.release();
        }
      }
    } finally {
      await pieces.return?.();
    }
    if (isIncomplete) throw new ServiceError('out-of-range', 'The answer is incomplete');
  };
}

function invalid(text: string): ServiceError {
  return new ServiceError('invalid', [failureMessage('%s', [text])]);
}

function piecesOf(body: Answer['body']): AsyncIterable<Buffer> {
  if (Buffer.isBuffer(body)) return Readable.from([body], { objectMode: true });
  if ('open' in body) throw invalid('Streams without end are on port 43 only');
  return body;
}

/**
 * The data of an IRRd-style answer, whose first piece has the line before it. Throws a ServiceError: `not-found`
 * without data, `invalid` with the text of a failure.
 */
async function* dataOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left: number | undefined;
  for await (const piece of pieces) {
    let data = piece;
    if (left === undefined) {
      const head = piece.toString('latin1', 0, piece.indexOf('\n'));
      if (!head.startsWith('A'))
        throw /^[CD]?$/.test(head) ? new ServiceError('not-found', 'No data') : invalid(head.replace(/^(?:F|%%) /, ''));
      left = Number(head.slice(1));
      data = piece.subarray(head.length + 1);
    }
    data = data.subarray(0, left);
    left -= data.length;
    if (data.length > 0) yield data;
  }
}
