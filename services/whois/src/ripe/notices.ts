import type { Message } from '@cadastre/proto/registry';
import type { Notices } from '../dialect.js';
import { type Frame, messageBlock } from './frame.js';
import { messages } from './messages.js';

/** The notices in RIPE style. */
export function createNotices({ head, tail }: Frame): Notices {
  const whole = (message: Message) => Buffer.from(`${head}${messageBlock(message)}${tail}`, 'latin1');
  return {
    lineTooLong: (most) => whole(messages.lineTooLong(most)),
    idle: () => Buffer.from(`${messageBlock(messages.silent())}\n`, 'latin1'),
    tooManyConnections: (most) => whole(messages.tooManyConnections(most)),
  };
}
