import type { preHandlerHookHandler } from 'fastify';
import { HttpError } from '../errors.js';
import { messages } from '../messages.js';
import { isRead } from '../request-context.js';

/** Refuses (400) a write with a condition that its route does not know: the client relies on it. */
export const refuseUnknownConditions: preHandlerHookHandler = (request, _reply, done) => {
  if (isRead(request)) return done();
  const { headers, facts } = request;
  if (headers['if-match'] !== undefined && !facts.headers.includes('if-match')) {
    throw new HttpError(400, messages.headerNotSupported('If-Match'));
  }
  done();
};
