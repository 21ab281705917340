import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { KeptAnswer } from './clients/lookup-cache.js';
import type { Context } from './context.js';
import { addAccessLog } from './hooks/access-log.js';
import { identifyClients } from './hooks/identify-client.js';
import { arrive, limitHeaders, requireBudget, spendPersonal } from './hooks/limit.js';
import { requestIds } from './request-id.js';
import { respond, respondError } from './respond.js';
import { keptAnswer } from './routes/lookup.js';
import { serve } from './serve.js';

/**
 * The REST interface. All requests go to one handler, because what a path means depends on more than patterns of the
 * HTTP framework can say (keys with slashes, extensions, prefixes): see locator.ts.
 */
export function createApp(context: Context): FastifyInstance {
  const app = fastify({
    logger: false,
    genReqId: requestIds(context.trustedProxies),
    exposeHeadRoutes: false,
    rewriteUrl: () => '/',
  });
  const handle = (request: FastifyRequest, reply: FastifyReply) => {
    const kept = keptAnswer(context, request);
    if (kept === undefined) return serve(context, request, reply);
    request.route = 'object';
    context.metrics.cached(true);
    const headers = admitKept(context, request, kept);
    return respond(request, reply, kept.format, { status: 200, isPublic: true, headers, ...kept });
  };
  // Routes read bodies themselves, after everything that needs no body was checked.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  identifyClients(app, context.trustedProxies);
  addAccessLog(app, context);
  app.setErrorHandler((error, request, reply) => respondError(context, request, reply, error));
  app.setNotFoundHandler(handle);
  app.all('/', handle);
  return app;
}

/** A kept answer costs what any other does. Answers the header fields that tell where the client stands. */
function admitKept(context: Context, request: FastifyRequest, { isPersonal }: KeptAnswer): Record<string, string> {
  const consumer = arrive(context, request);
  requireBudget(context, consumer);
  if (isPersonal) spendPersonal(context, consumer);
  return limitHeaders(context, request, consumer, isPersonal);
}
