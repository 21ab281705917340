import type { ConcurrentLimit, CountedLimit } from '@cadastre/limits';
import type { FastifyRequest, onRequestHookHandler, preHandlerHookHandler } from 'fastify';
import type { Context } from '../context.js';
import { check, checkCosts, checkFailedCredentials, type Limiting } from '../limits/exceeded.js';
import { whenReplyEnds } from '../reply/reply-end.js';
import { isRead } from '../request-context.js';
import { hasCredentials } from './credentials.js';

/**
 * Refuses blocked clients (403), and clients that sent too many requests or wrong credentials (429). Requests with
 * credentials are counted after authentication.
 */
export function limitClient(context: Limiting & Pick<Context, 'clientCertificates'>): onRequestHookHandler {
  const { limiter } = context;
  return (request, _reply, done) => {
    const sender = limiter.clients.atAddress(request.client.address);
    request.limitedClient = sender;
    check(context, limiter.checkBlocked(sender));
    request.hasCredentials = hasCredentials(context, request);
    if (request.hasCredentials) checkFailedCredentials(context, sender);
    else countRequest(context, request);
    done();
  };
}

/** Counts a request with credentials for its account, else for its sender. Throws an HttpError (403, 429). */
export function countForAccount(context: Limiting, request: FastifyRequest): void {
  const { accountId: id = '', accountName: name = '' } = request.principal ?? {};
  if (id !== '') {
    const sender = request.limitedClient;
    request.limitedClient = context.limiter.clients.ofAccount({ id, name }, sender);
    if (request.limitedClient !== sender) check(context, context.limiter.checkBlocked(request.limitedClient));
  }
  countRequest(context, request);
}

/**
 * Refuses (429) a client with too many concurrent requests; this one counts until its reply ends. Refuses (429)
 * potentially expensive requests of a client whose requests have cost too much, and every read of objects by a client
 * that has seen too many personal ones (decision R16).
 */
export function limitConcurrency(context: Limiting): preHandlerHookHandler {
  const { limiter } = context;
  return (request, reply, done) => {
    const { limitedClient: client, facts } = request;
    const { rates, ratesAndObjects, concurrent } = countingOf(request);
    if (isCostly(request)) checkCosts(context, client);
    check(context, limiter.takeSlots(client, concurrent));
    whenReplyEnds(reply, () => limiter.releaseSlots(client, concurrent));
    if (facts.showsObjects) check(context, limiter.check(client, 'personal-objects'));
    request.shownLimits = facts.showsObjects ? ratesAndObjects : rates;
    done();
  };
}

/** Whether a request may be expensive: it shows objects, searches or writes. */
function isCostly(request: FastifyRequest): boolean {
  return request.facts.showsObjects || request.facts.load === 'search' || !isRead(request);
}

function countRequest(context: Limiting, request: FastifyRequest): void {
  for (const name of countingOf(request).rates) check(context, context.limiter.count(request.limitedClient, name));
}

/** The limits that a kind of request counts against. */
interface Counting {
  readonly rates: readonly CountedLimit[];
  /** The rates of a request that shows objects. */
  readonly ratesAndObjects: readonly CountedLimit[];
  readonly concurrent: readonly ConcurrentLimit[];
}

function counting(rates: CountedLimit[], concurrent: ConcurrentLimit): Counting {
  const ratesAndObjects = ['personal-objects', ...rates] as const;
  return { rates, ratesAndObjects, concurrent: [...new Set(['concurrent-requests', concurrent] as const)] };
}

const write = counting(['updates'], 'concurrent-updates');
const search = counting(['queries', 'searches'], 'concurrent-searches');
const stream = counting(['queries'], 'concurrent-streams');
const otherRead = counting(['queries'], 'concurrent-requests');

function countingOf(request: FastifyRequest): Counting {
  if (!isRead(request)) return write;
  switch (request.facts.load) {
    case 'search':
      return search;
    case 'stream':
      return stream;
    case 'other':
      return otherRead;
  }
}
