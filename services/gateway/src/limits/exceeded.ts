import { type CountedLimit, costLimits, type LimitExceeded, type LimitedClient } from '@cadastre/limits';
import { WriteOutcome } from '@cadastre/proto/objects';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.js';
import { HttpError, type ReplyHeaders } from '../errors.js';
import { messages } from '../ripe-messages.js';

/** The counts of clients, and the metrics of refusals. */
export type Limiting = Pick<Context, 'limiter' | 'metrics'>;

/** Counts refused credentials: they may be guesses. */
export function countFailedCredentials({ limiter }: Limiting, client: LimitedClient, thrown: unknown): void {
  if (thrown instanceof HttpError && thrown.status === 401) limiter.count(client, 'failed-credentials');
}

/** Throws an HttpError (429) after too many refused credentials of the client, signatures included. */
export function checkFailedCredentials(context: Limiting, client: LimitedClient): void {
  check(context, context.limiter.check(client, 'failed-credentials'));
}

/** Throws an HttpError (429) when the earlier requests of the client have cost too much. */
export function checkCosts(context: Limiting, client: LimitedClient): void {
  for (const name of costLimits) check(context, context.limiter.check(client, name));
}

/** Charges a client for the milliseconds that the search service has read for it. */
export function chargeReads({ limiter }: Pick<Context, 'limiter'>, client: LimitedClient): (ms?: number) => void {
  return (ms = 0) => limiter.charge(client, 'processing', ms);
}

const bulk: readonly CountedLimit[] = ['bulk-resources', 'personal-objects', 'queries', 'searches'];

/** Counts the resources of a bulk lookup, which the headers of the reply show. Throws an HttpError (429). */
export function countBulkResources(context: Limiting, request: FastifyRequest, resources: number): void {
  check(context, context.limiter.count(request.limitedClient, 'bulk-resources', resources));
  request.shownLimits = bulk;
}

const quotaReasons = new Map([
  [WriteOutcome.WRITE_OUTCOME_DAY_QUOTA, 'storage-per-day'],
  [WriteOutcome.WRITE_OUTCOME_MNTNER_QUOTA, 'storage-per-mntner'],
]);

/** Counts a write that exceeds the quota of its caller or its mntner. */
export function countQuotaRefusals({ metrics }: Pick<Context, 'metrics'>, outcomes: readonly WriteOutcome[]): void {
  const reasons = new Set(outcomes.map((outcome) => quotaReasons.get(outcome)));
  for (const reason of reasons) if (reason !== undefined) metrics.limited(reason);
}

/** Throws an HttpError (403, 429) for a client that exceeds a limit or is blocked. */
export function check(context: Limiting, exceeded: LimitExceeded | undefined): void {
  const error = errorOf(context, exceeded);
  if (error) throw error;
}

/** The error for a refused client. */
export function errorOf({ limiter, metrics }: Limiting, exceeded: LimitExceeded | undefined): HttpError | undefined {
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
