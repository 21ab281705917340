import type { onRequestHookHandler } from 'fastify';
import { HttpError } from '../errors.js';
import { messages } from '../messages.js';
import { isRead } from '../request-context.js';
import { sessionOf } from './session-cookies.js';

/** RFC 9110 section 15.5.22. The body is not read, so the connection ends. */
const upgrade = { upgrade: 'TLS/1.2, HTTP/1.1', connection: 'Upgrade, close' };

/** Refuses (426) writes and credentials in the clear (decision W6). */
export const requireHttps: onRequestHookHandler = (request, _reply, done) => {
  if (!request.client.secure) {
    if (request.headers.authorization !== undefined || sessionOf(request) !== undefined) {
      throw new HttpError(426, messages.httpsRequiredForCredentials(), upgrade);
    }
    if (!isRead(request) || request.facts.isSecret) throw new HttpError(426, messages.httpsRequired(), upgrade);
  }
  done();
};
