import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Context } from '../context.js';

/** Safe in a log and in a header without escaping. */
const plainId = /^[\w.:/+=@-]{1,128}$/;

/**
 * Assigns each request its identifier: the X-Request-Id of a trusted proxy, else a generated one, which is cheap and
 * unique across processes.
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
