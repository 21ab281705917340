import type { Principal, RegistryObject } from '@cadastre/proto/registry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { whenOver } from '../answer-end.js';
import type { Context } from '../context.js';
import { type AnswerHeaders, Refusal } from '../errors.js';
import { clientOf, type Exchange, isRead } from '../exchange.js';
import type { Consumer } from '../limits/consumer.js';
import type { LimitName } from '../limits/limit-policy.js';
import type { Excess } from '../limits/limits.js';
import { isPersonal } from '../limits/personal-object.js';
import { rateHeaders } from '../limits/rate-headers.js';
import type { Target } from '../locator.js';
import { messages } from '../messages.js';
import { hasCredentials } from './credentials.js';

type Limiting = Pick<Context, 'consumers' | 'limits' | 'metrics'>;

/** The targets that show objects. */
const showingKinds: ReadonlySet<Target['kind']> = new Set(['object', 'versions', 'version', 'search', 'abuse-contact']);

/**
 * The first check of every request: throws a Refusal, 403 for a blocked client, 429 for one that has sent too many
 * requests. Who brings credentials is charged when it is known who that is; unless too many were wrong.
 */
export function arrive(context: Limiting & Pick<Context, 'clientCertificates'>, request: FastifyRequest): Consumer {
  const { consumers, limits } = context;
  const consumer = consumers.ofAddress(clientOf(request).address);
  check(context, limits.blocked(consumer));
  if (!hasCredentials(context, request)) countRequest(context, request, consumer);
  else check(context, limits.exceeded(consumer, 'failed-credentials'));
  return consumer;
}

/** Charges a request to the account that was found out, if there is one. Throws a Refusal (403, 429) as `arrive`. */
export function charge(
  context: Limiting & Pick<Context, 'clientCertificates'>,
  request: FastifyRequest,
  from: Consumer,
  principal: Principal | undefined,
): Consumer {
  if (!hasCredentials(context, request)) return from;
  const { consumers, limits } = context;
  const { accountId: id = '', accountName: name = '' } = principal ?? {};
  const consumer = id === '' ? from : consumers.ofAccount({ id, name }, from);
  if (consumer !== from) check(context, limits.blocked(consumer));
  countRequest(context, request, consumer);
  return consumer;
}

/** Notes that credentials were refused: they may be guesses. */
export function noteFailedCredentials({ limits }: Limiting, from: Consumer, thrown: unknown): void {
  if (thrown instanceof Refusal && thrown.status === 401) limits.count(from, 'failed-credentials');
}

/** Throws a Refusal (429) when the client has too many requests under way; this one ends with its answer. */
export function enter(context: Limiting, reply: FastifyReply, consumer: Consumer): void {
  check(context, context.limits.enter(consumer));
  whenOver(reply, () => context.limits.leave(consumer));
}

/** Throws a Refusal (429) when the client has seen too many personal objects: then it sees none at all (R16). */
export function requireBudget(context: Limiting, consumer: Consumer): void {
  check(context, context.limits.exceeded(consumer, 'personal-objects'));
}

/** Charges an object that is about to be shown; answers the refusal (429) that is to be shown instead. */
export async function spend(
  context: Limiting & Pick<Context, 'isOwn'>,
  { request, consumer, principal }: Pick<Exchange, 'request' | 'consumer' | 'principal'>,
  object: RegistryObject,
): Promise<Refusal | undefined> {
  // The answer to a HEAD shows nothing.
  if (request.method === 'HEAD' || !isPersonal(object) || (await context.isOwn(object, principal))) return undefined;
  return refusalOf(context, context.limits.count(consumer, 'personal-objects'));
}

/** The same for an object that is known to be personal and shown to nobody in particular. Throws the refusal. */
export function spendPersonal(context: Limiting, consumer: Consumer): void {
  check(context, context.limits.count(consumer, 'personal-objects'));
}

/** The header fields that tell where a client stands with what a request counts against. */
export function limitHeaders(
  { limits }: Limiting,
  request: FastifyRequest,
  consumer: Consumer,
  countsObjects: boolean,
): Record<string, string> {
  const rate: LimitName = isRead(request) ? 'queries' : 'updates';
  return rateHeaders(limits.standings(consumer, countsObjects ? ['personal-objects', rate] : [rate]));
}

/** Whether the answer shows stored objects, which may be personal ones. */
export function showsObjects(request: FastifyRequest, { kind }: Target): boolean {
  return showingKinds.has(kind) && isRead(request);
}

function countRequest(context: Limiting, request: FastifyRequest, consumer: Consumer): void {
  check(context, context.limits.count(consumer, isRead(request) ? 'queries' : 'updates'));
}

function check(context: Limiting, excess: Excess | undefined): void {
  const refusal = refusalOf(context, excess);
  if (refusal) throw refusal;
}

/** What a client that is refused is told. */
function refusalOf(context: Limiting, excess: Excess | undefined): Refusal | undefined {
  if (excess === undefined) return undefined;
  const { reason, consumer, retryAfterMs } = excess;
  context.metrics.limited(reason);
  const wait: AnswerHeaders =
    retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
  const standings = context.limits.standings(consumer).filter(({ name }) => name === reason);
  return new Refusal(statusOf(reason), messageOf(excess), { ...rateHeaders(standings), ...wait });
}

function statusOf(reason: Excess['reason']): number {
  return reason === 'blocked-by-operator' || reason === 'blocked-for-a-time' ? 403 : 429;
}

function messageOf({ reason, consumer: { shown, limits } }: Excess) {
  switch (reason) {
    case 'blocked-by-operator':
      return messages.hostBlocked(shown);
    case 'blocked-for-a-time':
      return messages.deniedForRepetition(shown);
    case 'personal-objects':
      return messages.deniedForTheDay(shown);
    case 'concurrent-requests':
      return messages.tooManyAtOnce(limits[reason], shown);
    case 'failed-credentials':
      return messages.tooManyFailures(shown);
    default:
      return messages.tooManyRequests(limits[reason], reason, shown);
  }
}
