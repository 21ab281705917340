import type { onRequestHookHandler } from 'fastify';
import type { Context } from '../context.js';
import { unknownFacts } from '../route-facts.js';

/** Determines the sender of a request and the facts of its route. */
export function identifyClient({ trustedProxies }: Pick<Context, 'trustedProxies'>): onRequestHookHandler {
  return (request, _reply, done) => {
    request.facts = request.routeOptions.config.facts ?? unknownFacts;
    request.client = trustedProxies.clientOf(request.raw);
    done();
  };
}
