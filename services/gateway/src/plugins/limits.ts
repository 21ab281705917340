import {
  type ConcurrentLimit,
  type CountedLimit,
  costLimits,
  type LimitExceeded,
  type LimitedClient,
} from '@cadastre/limits';
import type { RegistryObject } from '@cadastre/proto/registry';
import { isPersonal } from '@cadastre/rpsl';
import type { FastifyRequest, onRequestHookHandler, preHandlerHookHandler } from 'fastify';
import type { Context } from '../context.js';
import { HttpError, type ReplyHeaders } from '../errors.js';
import { messages } from '../messages.js';
import { isRead } from '../request-context.js';
import { hasCredentials } from './credentials.js';
import { whenReplyEnds } from './reply-end.js';

type Limiting = Pick<Context, 'limiter' | 'metrics'>;

/**
 * Refuses blocked clients (403), and clients that sent too many requests or wrong credentials (429). A request with
 * credentials is counted after authentication.
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

/** Counts credentials that were refused: they may be guesses. */
export function countFailedCredentials({ limiter }: Limiting, client: LimitedClient, thrown: unknown): void {
  if (thrown instanceof HttpError && thrown.status === 401) limiter.count(client, 'failed-credentials');
}

/** Throws an HttpError (429) when too many credentials of the client were refused, signatures included. */
export function checkFailedCredentials(context: Limiting, client: LimitedClient): void {
  check(context, context.limiter.check(client, 'failed-credentials'));
}

/** Throws an HttpError (429) when the client has sent too many names of accounts that do not exist. */
export function checkUnknownAccounts(context: Limiting, client: LimitedClient): void {
  check(context, context.limiter.check(client, 'unknown-accounts'));
}

/**
 * Refuses (429) a client with too many concurrent requests; this one ends with its reply. Refuses (429) what may cost
 * much to a client whose requests have cost too much, and every read of objects to a client that has seen too many
 * personal ones (decision R16).
 */
export function limitConcurrency(context: Limiting): preHandlerHookHandler {
  const { limiter } = context;
  return (request, reply, done) => {
    const { limitedClient: client, facts } = request;
    const { rates, ratesAndObjects, concurrent } = countingOf(request);
    if (isCostly(request)) checkCosts(context, client);
    check(context, limiter.takePlace(client, concurrent));
    whenReplyEnds(reply, () => limiter.endPlace(client, concurrent));
    if (facts.showsObjects) check(context, limiter.check(client, 'personal-objects'));
    request.shownLimits = facts.showsObjects ? ratesAndObjects : rates;
    done();
  };
}

/** Whether a request may cost much: it shows objects, searches or writes. */
function isCostly(request: FastifyRequest): boolean {
  return request.facts.showsObjects || request.facts.load === 'search' || !isRead(request);
}

/** Throws an HttpError (429) when the earlier requests of the client have cost too much. */
export function checkCosts(context: Limiting, client: LimitedClient): void {
  for (const name of costLimits) check(context, context.limiter.check(client, name));
}

/** Counts an object that is about to be shown, if it is personal. Returns the error (429) to show instead. */
export async function countIfPersonal(
  context: Limiting & Pick<Context, 'isOwn'>,
  { method, limitedClient, principal }: Pick<FastifyRequest, 'method' | 'limitedClient' | 'principal'>,
  object: RegistryObject,
): Promise<HttpError | undefined> {
  // The reply to a HEAD shows nothing.
  if (method === 'HEAD' || !isPersonal(object) || (await context.isOwn(object, principal))) return undefined;
  return errorOf(context, context.limiter.count(limitedClient, 'personal-objects'));
}

const bulk: readonly CountedLimit[] = ['bulk-resources', 'personal-objects', 'queries', 'searches'];

/** Counts the resources of a bulk lookup, which the headers of the reply show. Throws an HttpError (429). */
export function countBulkResources(context: Limiting, request: FastifyRequest, resources: number): void {
  check(context, context.limiter.count(request.limitedClient, 'bulk-resources', resources));
  request.shownLimits = bulk;
}

/** Counts a personal object that an anonymous client is about to see. Throws an HttpError (429). */
export function countPersonalObject(context: Limiting, client: LimitedClient): void {
  check(context, context.limiter.count(client, 'personal-objects'));
}

/** The header fields that show what is left of the limits; none before `limitConcurrency` accepts the request. */
export function limitHeaders(
  { limiter }: Pick<Context, 'limiter'>,
  { limitedClient, shownLimits }: FastifyRequest,
): Readonly<Record<string, string>> | undefined {
  return shownLimits && limiter.headers(limitedClient, shownLimits);
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

function check(context: Limiting, exceeded: LimitExceeded | undefined): void {
  const error = errorOf(context, exceeded);
  if (error) throw error;
}

/** The error for a refused client. */
function errorOf({ limiter, metrics }: Limiting, exceeded: LimitExceeded | undefined): HttpError | undefined {
  if (exceeded === undefined) return undefined;
  const { reason, client, retryAfterMs } = exceeded;
  metrics.limited(reason);
  const wait: ReplyHeaders =
    retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
  return new HttpError(statusOf(reason), messageOf(exceeded), { ...limiter.headers(client, [reason]), ...wait });
}

function statusOf(reason: LimitExceeded['reason']): number {
  return reason === 'blocked-by-operator' || reason === 'blocked-for-a-time' ? 403 : 429;
}

function messageOf({ reason, client: { name, limits } }: LimitExceeded) {
  switch (reason) {
    case 'blocked-by-operator':
      return messages.hostBlocked(name);
    case 'blocked-for-a-time':
      return messages.deniedForRepetition(name);
    case 'personal-objects':
      return messages.deniedForTheDay(name);
    case 'concurrent-requests':
    case 'concurrent-searches':
    case 'concurrent-updates':
    case 'concurrent-streams':
      return messages.tooManyAtOnce(limits[reason], reason.slice('concurrent-'.length), name);
    case 'failed-credentials':
      return messages.tooManyFailures(name);
    case 'unknown-accounts':
      return messages.tooManyUnknownAccounts(name);
    case 'bytes':
    case 'processing':
      return messages.tooCostly(limits[reason], reason === 'bytes' ? 'bytes' : 'milliseconds of processing', name);
    case 'bulk-resources':
      return messages.tooManyResourcesPerMinute(limits[reason], name);
    default:
      return messages.tooManyRequests(limits[reason], reason, name);
  }
}
