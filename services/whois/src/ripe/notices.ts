import type { Message } from '@cadastre/proto/registry';
import type { Notices } from '../dialect.js';
import { denied } from './clients.js';
import { type Frame, messageBlock } from './frame.js';
import { messages } from './messages.js';

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
