import type { FastifyRequest } from 'fastify';
import { isRead } from '../request-context.js';

/** Pages of all sites may read public data; browsers add no credentials of the user to these requests. */
export const openHeaders = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };

/** Whether pages of all sites may read the reply to a request. */
export function isOpen(request: FastifyRequest): boolean {
  // Every page may read every reply of RDAP (RFC 7480 section 5.6): browsers never show replies to requests with
  // credentials.
  return request.facts.format === 'rdap' || isAnonymousRead(request);
}

/** Whether nothing in a request can make its reply specific to the client. */
export function isAnonymousRead(request: FastifyRequest): boolean {
  const { authorization, cookie } = request.headers;
  return authorization === undefined && cookie === undefined && isRead(request) && !request.facts.isSameSite;
}

/**
 * The headers for a CORS preflight (Fetch standard), with which a browser checks whether a page of another site may
 * send a request: reads without credentials only. Empty if the request is no preflight, or if the page may not send it.
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
