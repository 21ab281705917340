import type { FastifyRequest } from 'fastify';
import { isRead, isSecure } from './exchange.js';
import { secureKinds } from './hooks/require-https.js';
import type { Target } from './locator.js';

const always = {
  'cache-control': 'no-cache, no-store, must-revalidate',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'referrer-policy': 'no-referrer',
  vary: 'Accept',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const hsts = { 'strict-transport-security': 'max-age=31536000' };
/** Pages of all sites may read what anybody may; browsers add no credentials of the user to such requests. */
const open = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };

const headersOf = {
  http: { closed: always, open: { ...always, ...open } },
  https: { closed: { ...always, ...hsts }, open: { ...always, ...hsts, ...open } },
};

/** The headers of every answer to a request. They are chosen, not made: this runs for every request. */
export function answerHeaders(request: FastifyRequest): Readonly<Record<string, string>> {
  const { closed, open } = headersOf[isSecure(request) ? 'https' : 'http'];
  return isAnonymousRead(request) ? open : closed;
}

/** What says who somebody is, or acts for somebody, is for pages of this service alone. */
const closedKinds: ReadonlySet<string> = new Set<Target['kind']>([...secureKinds, 'syncupdates', 'page']);

function isAnonymousRead(request: FastifyRequest): boolean {
  const { authorization, cookie } = request.headers;
  return authorization === undefined && cookie === undefined && isRead(request) && !closedKinds.has(request.route);
}

/**
 * The headers that answer a browser which asks whether a page of another site may send a request (Fetch standard, CORS
 * preflight): reads without credentials only. Empty when the request is no such question, or the answer is no.
 */
export function preflightHeaders({ headers }: FastifyRequest, allowed: readonly string[]): Record<string, string> {
  const method = headers['access-control-request-method'];
  if (headers.origin === undefined || (method !== 'GET' && method !== 'HEAD') || !allowed.includes(method)) return {};
  return {
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': 'Accept, CADASTRE-Serial, Content-Type, If-None-Match',
    'access-control-max-age': '600',
  };
}
