import type { Consumer, WindowCount } from './consumer.js';
import { amountOf, newCount } from './count.js';
import type { CountSync } from './count-sync.js';
import { type LimitName, limitNames, unlimited } from './limit-policy.js';

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

/** The limits on what is counted; requests at the same time come and go. */
export type CountedLimit = Exclude<LimitName, 'concurrent-requests'>;

export interface LimitsOptions {
  /** Absent when there is nobody to share counts with. */
  readonly sync: Pick<CountSync, 'touch'> | undefined;
  /** In how many seconds of the window a client may be refused before it is blocked; 0: never blocked. */
  readonly blockAfter: number;
  readonly blockTimeMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const second = 1000;
const minute = 60 * second;

/** Windows begin at whole multiples of their length: days at midnight UTC. */
const windowLengths: Readonly<Record<CountedLimit | 'refusals', number>> = {
  'personal-objects': 24 * 60 * minute,
  queries: second,
  updates: second,
  'failed-credentials': minute,
  refusals: 10 * minute,
};

/** How often what other gateways may have changed is asked for, for a client that is there. */
const refreshMs = second;

/** Makes the limits. Nothing here waits for anything: every request comes by. */
export function createLimits({ sync, blockAfter, blockTimeMs, now }: LimitsOptions): Limits {
  const windowOf = ({ id, usage }: Consumer, name: CountedLimit | 'refusals'): WindowCount => {
    const length = windowLengths[name];
    const window = Math.floor(now() / length);
    const current = usage.windows.get(name);
    if (current?.window === window) return current;
    const next = { ...newCount(`${id}:${name}:${window}`, usage.part, 'sum', (window + 1) * length), window };
    usage.windows.set(name, next);
    return next;
  };
  const blockOf = ({ id, usage }: Consumer) => {
    usage.block ??= newCount(`${id}:block`, usage.part, 'latest', Number.POSITIVE_INFINITY);
    return usage.block;
  };
  const tooMuch = (consumer: Consumer, name: CountedLimit): Excess => {
    noteRefusal(consumer);
    return { reason: name, consumer, retryAfterMs: windowOf(consumer, name).expires - now() };
  };
  /** Once for each second: many requests at the same time are one mistake. */
  const noteRefusal = (consumer: Consumer) => {
    const present = Math.floor(now() / second);
    if (blockAfter === 0 || consumer.usage.refusedIn === present) return;
    consumer.usage.refusedIn = present;
    const refusals = windowOf(consumer, 'refusals');
    refusals.own += 1;
    sync?.touch(refusals);
    if (amountOf(refusals) < blockAfter) return;
    const block = blockOf(consumer);
    block.own = now() + blockTimeMs;
    sync?.touch(block);
  };
  const refresh = (consumer: Consumer) => {
    const { usage, limits } = consumer;
    if (sync === undefined || limits === unlimited || now() - usage.refreshed < refreshMs) return;
    usage.refreshed = now();
    sync.touch(blockOf(consumer));
    if (limits['personal-objects'] !== Number.POSITIVE_INFINITY) sync.touch(windowOf(consumer, 'personal-objects'));
  };

  return {
    blocked(consumer) {
      refresh(consumer);
      const { block, usage, limits } = consumer;
      if (block && (block.until === undefined || block.until > now())) {
        const retryAfterMs = block.until === undefined ? undefined : block.until - now();
        return { reason: 'blocked-by-operator', consumer, retryAfterMs };
      }
      const until = usage.block === undefined ? 0 : amountOf(usage.block);
      if (until <= now() || limits === unlimited) return undefined;
      return { reason: 'blocked-for-a-time', consumer, retryAfterMs: until - now() };
    },
    count(consumer, name) {
      const most = consumer.limits[name];
      if (most === Number.POSITIVE_INFINITY) return undefined;
      const count = windowOf(consumer, name);
      count.own += 1;
      sync?.touch(count);
      return amountOf(count) > most ? tooMuch(consumer, name) : undefined;
    },
    exceeded(consumer, name) {
      const most = consumer.limits[name];
      if (most === Number.POSITIVE_INFINITY) return undefined;
      return amountOf(windowOf(consumer, name)) > most ? tooMuch(consumer, name) : undefined;
    },
    enter(consumer) {
      if (consumer.usage.running >= consumer.limits['concurrent-requests']) {
        noteRefusal(consumer);
        return { reason: 'concurrent-requests', consumer, retryAfterMs: second };
      }
      consumer.usage.running += 1;
      return undefined;
    },
    leave(consumer) {
      consumer.usage.running -= 1;
    },
    standings(consumer, names = limitNames) {
      const limited = names.filter((name) => consumer.limits[name] !== Number.POSITIVE_INFINITY);
      return limited.map((name) => {
        const limit = consumer.limits[name];
        if (name === 'concurrent-requests') return { name, limit, used: consumer.usage.running, window: undefined };
        const count = windowOf(consumer, name);
        const window = { lengthMs: windowLengths[name], end: count.expires, remainingMs: count.expires - now() };
        return { name, limit, used: amountOf(count), window };
      });
    },
  };
}
