import type { FastifyRequest, preHandlerHookHandler } from 'fastify';
import type { CachedResponse } from '../backends/lookup-cache.js';
import type { Context } from '../context.js';
import { countPersonalContact, countPersonalObject } from '../limits/personal-objects.js';
import { cacheKeyOf } from '../reply/cached-replies.js';
import { sendReply } from '../reply/send.js';

type Caching = Pick<Context, 'answerMemory' | 'cache' | 'compressor' | 'limiter' | 'metrics' | 'settings'>;

/** Replies from the cache if possible. Runs after all checks, so that cached replies pass the same ones. */
export function replyFromCache(context: Caching): preHandlerHookHandler {
  return (request, reply, done) => {
    const { facts, headers, method, principal, limitedClient } = request;
    const isOfNow = headers['accept-datetime'] === undefined;
    const isCached = facts.isCached && isOfNow && method === 'GET' && principal === undefined;
    const cached = isCached ? context.cache.get(cacheKeyOf(request)) : undefined;
    // A client that may not see all contacts gets a separate reply.
    if (cached === undefined || !mayShow(context, request, cached)) return done();
    context.metrics.cached(true);
    if (cached.isPersonal) countPersonalObject(context, limitedClient);
    sendReply(context, request, reply, { status: 200, ...cached });
  };
}

function mayShow({ limiter }: Caching, { limitedClient }: FastifyRequest, { contacts = [] }: CachedResponse): boolean {
  return contacts.every((name) => countPersonalContact(limiter, limitedClient, name));
}
