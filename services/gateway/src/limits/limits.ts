import type { Consumer } from './consumer.js';
import { amountOf } from './count.js';
import { type LimitName, limitNames, unlimited } from './limit-policy.js';
import { createRepetition, type RepetitionOptions } from './repetition.js';
import { type CountedLimit, windowLengths, windowOf } from './windows.js';

/** Why a consumer is refused. */
export interface Excess {
  readonly reason: LimitName | 'blocked-by-operator' | 'blocked-for-a-time';
  readonly consumer: Consumer;
  /** How long to wait; absent when that does not help. */
  readonly retryAfterMs: number | undefined;
}

/** Where a consumer stands with one limit. */
export interface Standing {
  readonly name: LimitName;
  readonly limit: number;
  readonly used: number;
  /** When the count is for; absent for requests at the same time. */
  readonly window: Window | undefined;
}

/** A stretch of time in which something is counted. */
export interface Window {
  readonly lengthMs: number;
  /** When the count begins again, in milliseconds since 1970. */
  readonly end: number;
  /** How long that is from now. */
  readonly remainingMs: number;
}

/** Knows what every client has used, and whether it may have more. */
export interface Limits {
  /** Whether the consumer is blocked. */
  blocked(consumer: Consumer): Excess | undefined;
  /** Counts one up; tells when that was too much. What was too much is counted too. */
  count(consumer: Consumer, name: CountedLimit): Excess | undefined;
  /** Whether more was counted already than the consumer may have. */
  exceeded(consumer: Consumer, name: CountedLimit): Excess | undefined;
  /** A request begins; `leave` is to be called at its end, unless this tells that there are too many. */
  enter(consumer: Consumer): Excess | undefined;
  /** A request that was let in has ended. */
  leave(consumer: Consumer): void;
  /** The limits that hold for a consumer, or those of them that are named. */
  standings(consumer: Consumer, names?: readonly LimitName[]): Standing[];
}

/** How often what other gateways may have changed is asked for, for a client that is there. */
const refreshMs = 1000;

/** Requests that end make room for others: a good time to come again. */
const retryAfterConcurrentMs = 1000;

/** Makes the limits. Nothing here waits for anything: every request comes by. */
export function createLimits(o: RepetitionOptions): Limits {
  const { sync, now } = o;
  const repetition = createRepetition(o);
  const refuse = (consumer: Consumer, reason: LimitName, retryAfterMs: number): Excess => {
    repetition.refused(consumer);
    return { reason, consumer, retryAfterMs };
  };
  const exceeded: Limits['exceeded'] = (consumer, name) => {
    if (!isLimited(consumer, name)) return undefined;
    const count = windowOf(consumer, name, now());
    return amountOf(count) > consumer.limits[name] ? refuse(consumer, name, count.expires - now()) : undefined;
  };
  const refresh = (consumer: Consumer) => {
    const { usage, limits } = consumer;
    if (sync === undefined || limits === unlimited || now() - usage.refreshed < refreshMs) return;
    usage.refreshed = now();
    repetition.refresh(consumer);
    if (isLimited(consumer, 'personal-objects')) sync.touch(windowOf(consumer, 'personal-objects', now()));
  };

  return {
    blocked(consumer) {
      refresh(consumer);
      return operatorBlock(consumer, now()) ?? repetitionBlock(consumer, repetition.blockedUntil(consumer), now());
    },
    count(consumer, name) {
      if (!isLimited(consumer, name)) return undefined;
      const count = windowOf(consumer, name, now());
      count.own += 1;
      sync?.touch(count);
      return exceeded(consumer, name);
    },
    exceeded,
    enter(consumer) {
      if (consumer.usage.running >= consumer.limits['concurrent-requests'])
        return refuse(consumer, 'concurrent-requests', retryAfterConcurrentMs);
      consumer.usage.running += 1;
      return undefined;
    },
    leave(consumer) {
      consumer.usage.running -= 1;
    },
    standings: (consumer, names = limitNames) =>
      names.filter((name) => isLimited(consumer, name)).map((name) => standingOf(consumer, name, now())),
  };
}

function isLimited({ limits }: Consumer, name: LimitName): boolean {
  return limits[name] !== Number.POSITIVE_INFINITY;
}

function operatorBlock(consumer: Consumer, now: number): Excess | undefined {
  const { block } = consumer;
  if (block === undefined) return undefined;
  if (block.until === undefined) return { reason: 'blocked-by-operator', consumer, retryAfterMs: undefined };
  return block.until > now ? { reason: 'blocked-by-operator', consumer, retryAfterMs: block.until - now } : undefined;
}

function repetitionBlock(consumer: Consumer, until: number, now: number): Excess | undefined {
  if (until <= now || consumer.limits === unlimited) return undefined;
  return { reason: 'blocked-for-a-time', consumer, retryAfterMs: until - now };
}

function standingOf(consumer: Consumer, name: LimitName, now: number): Standing {
  const limit = consumer.limits[name];
  if (name === 'concurrent-requests') return { name, limit, used: consumer.usage.running, window: undefined };
  const count = windowOf(consumer, name, now);
  const window = { lengthMs: windowLengths[name], end: count.expires, remainingMs: count.expires - now };
  return { name, limit, used: amountOf(count), window };
}
