import type { FastifyRequest } from 'fastify';
import { isAnonymousRead, isOpen, openHeaders } from './cors.js';

const always = {
  'cache-control': 'no-cache, no-store, must-revalidate',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'referrer-policy': 'no-referrer',
  vary: 'Accept, Accept-Datetime, Accept-Encoding',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const hsts = { 'strict-transport-security': 'max-age=31536000' };
/** Caches may store it but must revalidate each time. */
const revalidated = { 'cache-control': 'no-cache' };

const headersOf = (own: object) => ({
  http: { ...always, ...own },
  https: { ...always, ...hsts, ...own },
});
const closedHeaders = { once: headersOf({}), revalidated: headersOf(revalidated) };
const openToAll = { once: headersOf(openHeaders), revalidated: headersOf({ ...openHeaders, ...revalidated }) };

/**
 * The headers of every reply, prepared in advance because this runs for each request. `isStorable`: caches may store the
 * reply.
 */
export function commonHeaders(request: FastifyRequest, isStorable: boolean): Readonly<Record<string, string>> {
  const { once, revalidated } = isOpen(request) ? openToAll : closedHeaders;
  return (isStorable ? revalidated : once)[request.client.secure ? 'https' : 'http'];
}

/**
 * The Accept-Encoding of a request for a public reply. No other reply is compressed: a client that controls a part of a
 * reply which also has a secret could learn the secret from its compressed length (BREACH).
 */
export function acceptedEncodings(request: FastifyRequest): string | undefined {
  return isAnonymousRead(request) ? request.headers['accept-encoding'] : undefined;
}
