import type { FastifyRequest } from 'fastify';
import { isRead } from '../request-context.js';

const always = {
  'cache-control': 'no-cache, no-store, must-revalidate',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'referrer-policy': 'no-referrer',
  vary: 'Accept, Accept-Datetime, Accept-Encoding',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const hsts = { 'strict-transport-security': 'max-age=31536000' };
/** Pages of all sites may read what anybody may; browsers add no credentials of the user to such requests. */
const open = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };
/** Caches may keep it but must ask each time. */
const revalidated = { 'cache-control': 'no-cache' };

const headersOf = (own: object) => ({
  http: { ...always, ...own },
  https: { ...always, ...hsts, ...own },
});
const closedHeaders = { once: headersOf({}), revalidated: headersOf(revalidated) };
const openHeaders = { once: headersOf(open), revalidated: headersOf({ ...open, ...revalidated }) };

/** The headers of every reply, made beforehand: this runs for each request. `isKept`: caches may keep the reply. */
export function commonHeaders(request: FastifyRequest, isKept: boolean): Readonly<Record<string, string>> {
  // Every page may read every reply of RDAP (RFC 7480 section 5.6): browsers show none that credentials went with.
  const isOpen = request.facts.format === 'rdap' || isAnonymousRead(request);
  const { once, revalidated } = isOpen ? openHeaders : closedHeaders;
  return (isKept ? revalidated : once)[request.client.secure ? 'https' : 'http'];
}

/** Whether nothing in a request can make its reply specific to the client. */
function isAnonymousRead(request: FastifyRequest): boolean {
  const { authorization, cookie } = request.headers;
  return authorization === undefined && cookie === undefined && isRead(request) && !request.facts.isSameSite;
}

/**
 * The Accept-Encoding of a request whose reply everybody gets. No other reply is compressed: whoever may choose a part
 * of a reply that holds a secret beside it could learn the secret from its compressed length (BREACH).
 */
export function acceptedEncodings(request: FastifyRequest): string | undefined {
  return isAnonymousRead(request) ? request.headers['accept-encoding'] : undefined;
}

/**
 * The headers for a browser that asks whether a page of another site may send a request (Fetch standard, CORS
 * preflight): reads without credentials only. Empty if the request is no preflight, or if the page may not send it.
 */
export function preflightHeaders({ headers }: FastifyRequest, allowed: readonly string[]): Record<string, string> {
  const method = headers['access-control-request-method'];
  if (headers.origin === undefined || (method !== 'GET' && method !== 'HEAD') || !allowed.includes(method)) return {};
  return {
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': 'Accept, Accept-Datetime, CADASTRE-Serial, Content-Type, If-None-Match',
    'access-control-max-age': '600',
  };
}
