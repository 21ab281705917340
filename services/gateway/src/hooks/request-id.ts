import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Context } from '../context.js';

/** What may stand in a log and in a header as it is. */
const plainId = /^[\w.:/+=@-]{1,128}$/;

/**
 * Gives each request its identifier: what a trusted proxy says in X-Request-Id, else one that is cheap to make and
 * does not repeat between processes.
 */
export function requestIds({ trustedProxies }: Pick<Context, 'trustedProxies'>): (request: IncomingMessage) => string {
  const prefix = randomBytes(6).toString('base64url');
  let next = 0;
  return (request) => {
    const sent = request.headers['x-request-id'];
    const isTaken = typeof sent === 'string' && plainId.test(sent) && trustedProxies.sent(request);
    return isTaken ? sent : `${prefix}-${(next++).toString(36)}`;
  };
}
