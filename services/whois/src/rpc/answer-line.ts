import { isIP } from 'node:net';
import { networksOf } from '@cadastre/limits';
import type { SetServiceService } from '@cadastre/proto/whois';
import { failureMessage, type Handlers, plainAddress, ServiceError } from '@cadastre/service';
import type { Answer, ConnectionState, Dialect } from '../dialect.js';
import { readIrrdLine } from '../dialects.js';
import { maxLineBytes } from '../listener/lines.js';

/** The dependencies of the method. */
export interface AnswerLineOptions {
  readonly dialect: Dialect;
  /** The state of a new connection. */
  readonly initial: ConnectionState;
}

/** Streams the answer of port 43 to a line; makes a message when the client has read the one before. */
export function answerLine({ dialect, initial }: AnswerLineOptions): Handlers<typeof SetServiceService>['answerLine'] {
  return async function* ({ line, clientAddress }, { signal }) {
    if (isIP(clientAddress) === 0) throw invalid('No IP address of a client');
    if (/[\r\n]/.test(line)) throw invalid('More than one line');
    if (Buffer.byteLength(line) > maxLineBytes) throw invalid('The line is too long');
    const client = plainAddress(clientAddress);
    const end = new AbortController();
    let isIncomplete = false;
    const connection = {
      client,
      network: networksOf(client).prefix,
      signal: AbortSignal.any([signal, end.signal]),
      giveUp: () => end.abort(new ServiceError('unavailable', 'The answer was read too slowly')),
      endAfterAnswer: () => {
        isIncomplete = true;
      },
    };
    // A command that has data counts as one of many on an open connection: the request has been counted.
    const { body } = await dialect(line, { ...initial, irrd: { ...initial.irrd, isOpen: true } }, connection);
    const pieces = readIrrdLine(line) === undefined ? piecesOf(body) : dataOf(piecesOf(body));
    for await (const data of pieces) {
      yield { data };
      end.signal.throwIfAborted();
    }
    if (isIncomplete) throw new ServiceError('out-of-range', 'The answer is incomplete');
  };
}

function invalid(text: string): ServiceError {
  return new ServiceError('invalid', [failureMessage('%s', [text])]);
}

function piecesOf(body: Answer['body']): AsyncIterable<Buffer> | readonly Buffer[] {
  if (Buffer.isBuffer(body)) return [body];
  if ('open' in body) throw invalid('Streams without end are on port 43 only');
  return body;
}

/**
 * The data of an IRRd-style answer, whose first piece has the line before it. Throws a ServiceError: `not-found`
 * without data, `invalid` with the text of a failure.
 */
async function* dataOf(pieces: AsyncIterable<Buffer> | readonly Buffer[]): AsyncGenerator<Buffer> {
  let left: number | undefined;
  for await (const piece of pieces) {
    let data = piece;
    if (left === undefined) {
      const head = piece.toString('latin1', 0, piece.indexOf('\n'));
      if (!head.startsWith('A')) throw /^[CD]?$/.test(head) ? notFound() : invalid(head.replace(/^(?:F|%%) /, ''));
      left = Number(head.slice(1));
      data = piece.subarray(head.length + 1);
    }
    data = data.subarray(0, left);
    left -= data.length;
    if (data.length > 0) yield data;
  }
}

function notFound(): ServiceError {
  return new ServiceError('not-found', 'No data');
}
