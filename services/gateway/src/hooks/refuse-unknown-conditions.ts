import type { preHandlerHookHandler } from 'fastify';
import { HttpError } from '../errors.js';
import { isRead } from '../request-context.js';
import { messages } from '../ripe-messages.js';

/**
 * Refuses (400) a write with a condition that its route does not support, because the client relies on it. PUT and
 * DELETE need no idempotency key.
 */
export const refuseUnknownConditions: preHandlerHookHandler = (request, _reply, done) => {
  if (isRead(request)) return done();
  const { method } = request;
  const conditions = method === 'POST' ? ['If-Match', 'Idempotency-Key'] : ['If-Match'];
  for (const name of conditions) {
    const header = name.toLowerCase();
    if (request.headers[header] !== undefined && !request.facts.headers.includes(header)) {
      throw new HttpError(400, messages.headerNotSupported(name));
    }
  }
  done();
};
