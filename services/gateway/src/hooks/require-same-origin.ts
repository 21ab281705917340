import type { FastifyRequest } from 'fastify';
import { Refusal } from '../errors.js';
import { isRead } from '../exchange.js';
import { messages } from '../messages.js';
import { sessionOf } from '../session-cookies.js';
import type { GatewaySettings } from '../settings.js';

/**
 * Throws a Refusal (403) for a write that a page of another site has a browser send: with the session cookie, a client
 * certificate or a remembered API key it would be the user's. What carries the cookie must show where it comes from.
 */
export function requireSameOrigin(request: FastifyRequest, settings: Pick<GatewaySettings, 'baseUrl'>): void {
  if (isRead(request)) return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isTold = origin !== undefined || site !== undefined;
  const isForeign =
    (site !== undefined && site !== 'same-origin') || (origin !== undefined && !isOwn(origin, request, settings));
  if (isForeign || (!isTold && sessionOf(request) !== undefined)) throw new Refusal(403, messages.otherOrigin());
}

function isOwn(origin: string, { host }: FastifyRequest, { baseUrl }: Pick<GatewaySettings, 'baseUrl'>) {
  const folded = origin.toLowerCase();
  return folded === `https://${host.toLowerCase()}` || (baseUrl !== undefined && folded === new URL(baseUrl).origin);
}
