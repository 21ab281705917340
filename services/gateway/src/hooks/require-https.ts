import type { FastifyRequest } from 'fastify';
import { Refusal } from '../errors.js';
import { isRead, isSecure } from '../exchange.js';
import { messages } from '../messages.js';

/** RFC 9110 section 15.5.22. The body is not read, so the connection ends. */
const upgrade = { upgrade: 'TLS/1.2, HTTP/1.1', connection: 'Upgrade, close' };

/** Throws a Refusal (426) for writes and for credentials in the clear (decision W6). */
export function requireHttps(request: FastifyRequest): void {
  if (isSecure(request)) return;
  if (request.headers.authorization !== undefined) {
    throw new Refusal(426, messages.httpsRequiredForCredentials(), upgrade);
  }
  if (!isRead(request)) throw new Refusal(426, messages.httpsRequired(), upgrade);
}
