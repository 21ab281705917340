import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { HttpError } from '../errors.js';
import { sessionOf } from '../reply/session-cookies.js';
import { isRead } from '../request-context.js';
import { messages } from '../ripe-messages.js';
import type { GatewaySettings } from '../settings.js';

/**
 * Refuses (403) a write that a page of another site makes a browser send, because the browser would add the user's
 * cookie, certificate or API key. A write with the cookie must state its origin.
 */
export function requireSameOrigin({ baseUrl }: Pick<GatewaySettings, 'baseUrl'>): onRequestHookHandler {
  const ownOrigin = baseUrl === undefined ? undefined : new URL(baseUrl).origin;
  const isOwn = (origin: string, { host }: FastifyRequest) => {
    const folded = origin.toLowerCase();
    return folded === `https://${host.toLowerCase()}` || folded === ownOrigin;
  };
  return (request, _reply, done) => {
    if (isRead(request)) return done();
    const { origin, 'sec-fetch-site': site } = request.headers;
    const namesOrigin = origin !== undefined || site !== undefined;
    const isForeign =
      (site !== undefined && site !== 'same-origin') || (origin !== undefined && !isOwn(origin, request));
    if (isForeign || (!namesOrigin && sessionOf(request) !== undefined))
      throw new HttpError(403, messages.otherOrigin());
    done();
  };
}
