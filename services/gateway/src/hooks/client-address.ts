import type { onRequestHookHandler } from 'fastify';
import type { Context } from '../context.js';
import type { RouteFacts } from '../route-facts.js';

/** Determines the sender of a request and the facts of its route, or of its path when the method has no route there. */
export function identifyClient(
  { trustedProxies }: Pick<Context, 'trustedProxies'>,
  targetOf: (url: string) => { facts: RouteFacts },
): onRequestHookHandler {
  return (request, _reply, done) => {
    request.facts = request.routeOptions.config.facts ?? targetOf(request.url).facts;
    request.client = trustedProxies.clientOf(request.raw);
    done();
  };
}
