import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.js';
import { clientOf, isSecure, locatorOf } from '../exchange.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Kind of the target, for metrics; empty until it is known. */
    route: string;
  }
}

/**
 * Counts every request, and logs one event: at level debug, or warn when it was slow. Neither query strings nor
 * headers are logged: they may carry secrets and personal data.
 */
export function addAccessLog(app: FastifyInstance, { logger, metrics, settings }: Context): void {
  const logsAll = logger.isLevelEnabled('debug');
  app.decorateRequest('route', '');
  app.addHook('onResponse', (request, reply, done) => {
    const milliseconds = reply.elapsedTime;
    metrics.answered(request.route || 'unknown', reply.statusCode, milliseconds / 1000);
    const slow = milliseconds > settings.slowRequest;
    if (slow || logsAll) {
      const event = {
        requestId: request.id,
        method: request.method,
        path: locatorOf(request).path,
        secure: isSecure(request),
        client: clientOf(request).address,
        status: reply.statusCode,
        milliseconds: Math.round(milliseconds * 100) / 100,
      };
      if (slow) logger.warn(event, 'slow request');
      else logger.debug(event, 'request');
    }
    done();
  });
}
