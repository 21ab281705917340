import type { FastifyInstance, FastifyRequest } from 'fastify';
import { whenOver } from '../answer-end.js';
import type { Context } from '../context.js';
import { clientOf, isSecure, locatorOf } from '../exchange.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Kind of the target, for metrics; empty until it is known. */
    route: string;
  }
}

/**
 * Counts every request, and logs one event: at level debug, or warn when it was slow. The status of one whose
 * connection ended before its answer is "aborted". Neither query strings nor headers are logged: they may carry
 * secrets and personal data.
 */
export function addAccessLog(app: FastifyInstance, { logger, metrics, settings }: Context): void {
  const logsAll = logger.isLevelEnabled('debug');
  app.decorateRequest('route', '');
  const note = (request: FastifyRequest, status: number | 'aborted', milliseconds: number) => {
    metrics.answered(request.route || 'unknown', status, milliseconds / 1000);
    const slow = milliseconds > settings.slowRequest;
    if (!slow && !logsAll) return;
    const event = eventOf(request, status, milliseconds);
    if (slow) logger.warn(event, 'slow request');
    else logger.debug(event, 'request');
  };
  app.addHook('onRequest', (request, reply, done) => {
    const begin = performance.now();
    whenOver(reply, (whole) => note(request, whole ? reply.statusCode : 'aborted', performance.now() - begin));
    done();
  });
}

function eventOf(request: FastifyRequest, status: number | 'aborted', milliseconds: number) {
  return {
    requestId: request.id,
    method: request.method,
    path: locatorOf(request).path,
    secure: isSecure(request),
    client: clientOf(request).address,
    status,
    milliseconds: Math.round(milliseconds * 100) / 100,
  };
}
