import type { FastifyRequest } from 'fastify';
import { Refusal } from '../errors.js';
import { isRead, isSecure } from '../exchange.js';
import type { Target } from '../locator.js';
import { messages } from '../messages.js';
import { sessionOf } from '../session-cookies.js';

/** RFC 9110 section 15.5.22. The body is not read, so the connection ends. */
const upgrade = { upgrade: 'TLS/1.2, HTTP/1.1', connection: 'Upgrade, close' };

/** What says or gives credentials goes over HTTPS only, reads included. */
export const secureKinds: ReadonlySet<Target['kind']> = new Set([
  'api-keys',
  'api-key',
  'session',
  'own-maintainers',
  'sign-in',
  'sign-in-callback',
]);

/** Throws a Refusal (426) for writes and for credentials in the clear (decision W6). */
export function requireHttps(request: FastifyRequest, { kind }: Target): void {
  if (isSecure(request)) return;
  if (request.headers.authorization !== undefined || sessionOf(request) !== undefined) {
    throw new Refusal(426, messages.httpsRequiredForCredentials(), upgrade);
  }
  if (!isRead(request) || secureKinds.has(kind)) throw new Refusal(426, messages.httpsRequired(), upgrade);
}
