import { hostname } from 'node:os';
import type { Message } from '@cadastre/proto/registry';
import { commentText } from '@cadastre/query';
import type { Notices } from '../dialect.js';
import { denied } from './clients.js';
import { messages } from './messages.js';

/** The beginning and the end of every answer in RIPE style. */
export interface Frame {
  readonly head: string;
  /** Ends with two empty lines, which mark the end of the answer for clients of an open connection. */
  readonly tail: string;
}

interface FrameOptions {
  /** Name of the main source. */
  readonly source: string;
  readonly termsUrl: string;
  /** Version of this program. */
  readonly version: string;
}

export function createFrame({ source, termsUrl, version }: FrameOptions): Frame {
  return {
    head: `% This is the ${source} registry query service.
% The objects are in RPSL format.
%
% Terms and conditions: ${termsUrl}

`,
    tail: `% This query was served by the ${source} query service version ${version} (${hostname()})\n\n\n`,
  };
}

/** A message in an answer: an empty line ends it. */
export function messageBlock(message: Message): string {
  return `${commentText(message)}\n`;
}

/** The notices in RIPE style. */
export function createNotices({ head, tail }: Frame): Notices {
  const alone = (message: Message) => Buffer.from(`${messageBlock(message)}\n`, 'latin1');
  const framed = (message: Message) => Buffer.from(`${head}${messageBlock(message)}${tail}`, 'latin1');
  return {
    lineTooLong: (max) => framed(messages.lineTooLong(max)),
    idle: () => alone(messages.silent()),
    tooManyConnections: (max) => framed(messages.tooManyConnections(max)),
    blocked: (exceeded) => framed(denied(exceeded)),
  };
}
