import type { Message } from '@cadastre/proto/registry';
import type { Notices } from '../dialect.js';
import { type Frame, messageBlock } from './frame.js';
import { messages } from './messages.js';

/** The notices in RIPE style. */
export function createNotices({ head, tail }: Frame): Notices {
  const alone = (message: Message) => Buffer.from(`${messageBlock(message)}\n`, 'latin1');
  return {
    lineTooLong: (most) => alone(messages.lineTooLong(most)),
    idle: () => alone(messages.silent()),
    tooManyConnections: (most) =>
      Buffer.from(`${head}${messageBlock(messages.tooManyConnections(most))}${tail}`, 'latin1'),
  };
}
