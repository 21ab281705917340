import fastifyStatic from '@fastify/static';
import fastify, { type FastifyInstance } from 'fastify';
import { canonicalRdapUrl, canonicalUrl } from './canonical-url.js';
import type { Context } from './context.js';
import { admit } from './hooks/admission.js';
import { authenticate } from './hooks/authenticate.js';
import { identifyClient } from './hooks/client-address.js';
import { chooseFormat } from './hooks/format.js';
import { rdapHosts, requireOneHost } from './hooks/host.js';
import { requireHttps } from './hooks/https.js';
import { limitClient, limitConcurrency } from './hooks/limit-clients.js';
import { logRequests } from './hooks/log.js';
import { requireReadableUrl } from './hooks/readable-url.js';
import { refuseUnknownConditions } from './hooks/refuse-unknown-conditions.js';
import { replyFromCache } from './hooks/reply-from-cache.js';
import { requestIds } from './hooks/request-id.js';
import { requireSameOrigin } from './hooks/same-origin.js';
import { leadToPage } from './hooks/web-pages.js';
import { validateParameters } from './parameters.js';
import { rdapError } from './rdap/refusal.js';
import { sendError } from './reply/send.js';
import { decorateRequests } from './request-context.js';
import { publishedFiles } from './rest/published-files.js';
import { addOtherMethods, addRoutes, refuseWithoutRoute, replyWithoutRoute, targetOf } from './routes.js';

/** The REST interface: the steps of a request, from top to bottom. */
export function createApp(context: Context): FastifyInstance {
  const { settings } = context;
  const rdapHostOf = rdapHosts(settings);
  const app = fastify({
    logger: false,
    genReqId: requestIds(context),
    exposeHeadRoutes: false,
    rewriteUrl(raw) {
      const rdapHost = rdapHostOf(raw);
      raw.canonicalUrl =
        rdapHost === undefined ? canonicalUrl(raw.url ?? '') : canonicalRdapUrl(raw.url ?? '', rdapHost);
      return raw.canonicalUrl.routed;
    },
    routerOptions: {
      // A key may be as long as a URL; `requireReadableUrl` bounds that.
      maxParamLength: settings.headerBytes,
      // The validator reads it: it knows the parameters of the route.
      querystringParser: (text) => text as never,
    },
  });
  decorateRequests(app, settings);

  // Every request, before its body.
  app.addHook('onRequest', identifyClient(context, targetOf));
  app.addHook('onRequest', logRequests(context));
  app.addHook('onRequest', admit(context));
  app.addHook('onRequest', limitClient(context));
  app.addHook('onRequest', requireHttps(settings));
  app.addHook('onRequest', requireOneHost);
  app.addHook('onRequest', requireReadableUrl(settings));
  app.addHook('onRequest', requireSameOrigin(settings));
  app.addHook('onRequest', authenticate(context));
  app.addHook('onRequest', refuseWithoutRoute);

  // Routes read the body themselves, after all checks that need no body.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  // Only for `sendFile`: routes decide which files exist.
  const publications = publishedFiles(settings);
  if (publications !== undefined) app.register(fastifyStatic, { serve: false, ...publications });

  // Requests that have a route.
  app.setValidatorCompiler(validateParameters(settings));
  app.register((operations, _options, done) => {
    operations.addHook('preHandler', leadToPage(context));
    operations.addHook('preHandler', chooseFormat);
    operations.addHook('preHandler', refuseUnknownConditions);
    operations.addHook('preHandler', limitConcurrency(context));
    operations.addHook('preHandler', replyFromCache(context));
    addRoutes(operations, context);
    done();
  });

  // All other requests.
  addOtherMethods(app);
  app.setNotFoundHandler(replyWithoutRoute(context));
  app.setErrorHandler((error, request, reply) => sendError(context, request, reply, error, rdapError));
  return app;
}
