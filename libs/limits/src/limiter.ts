import type { baseSettings, Logger, Metrics, Service, Values } from '@cadastre/service';
import type { BlockList } from './blocked-networks.js';
import { createLastUsed } from './last-used.js';
import {
  type Counted,
  createLimitedClients,
  type LimitedClient,
  type LimitedClients,
  type WiderNetwork,
  type WindowCount,
} from './limited-clients.js';
import {
  type ConcurrentLimit,
  type CostLimit,
  type CountedLimit,
  createLimitPolicy,
  type GivenLimits,
  isConcurrent,
  type LimitName,
  type LimitValues,
  limitNames,
  unlimited,
} from './policy.js';
import type { LimitSettings } from './settings.js';
import { amountOf, type Count, createSharedCounts, newCount, type SharedCounts } from './shared-counts.js';

/** Why a request is refused. */
export interface LimitExceeded {
  readonly reason: LimitName | 'blocked-by-operator' | 'blocked-for-a-time';
  readonly client: LimitedClient;
  /** How long to wait; absent when waiting does not help. */
  readonly retryAfterMs: number | undefined;
}

/** How much of one limit a client has used. */
export interface Usage {
  readonly name: UsedLimit;
  readonly limit: number;
  readonly used: number;
  /** The period that the count is for; absent for concurrent requests. */
  readonly window: Window | undefined;
}

/** The limits that requests share; the maximum number of objects of one search is not among them. */
type UsedLimit = CountedLimit | ConcurrentLimit;

/** A period in which something is counted. */
interface Window {
  readonly lengthMs: number;
  /** When the count is reset, in milliseconds since 1970. */
  readonly end: number;
}

/** Decides whether clients have exceeded a limit. Counts in memory, so no call waits. */
export interface Limiter {
  readonly clients: LimitedClients;
  /** Returns whether the client is blocked, by the operator or for repeated refusals. */
  checkBlocked(client: LimitedClient): LimitExceeded | undefined;
  /** Returns whether the client has exceeded a limit already. */
  check(client: LimitedClient, name: CountedLimit): LimitExceeded | undefined;
  /**
   * Adds one, or the given amount, and returns whether that exceeds the limit. Also counts beyond the limit, but not
   * for the networks around the client: refused requests of one client use up nothing of its neighbours.
   */
  count(client: LimitedClient, name: CountedLimit, amount?: number): LimitExceeded | undefined;
  /**
   * Counts one for something that the client sees, unless it was counted for this client in this window already.
   * Returns whether the client may see it: if that would exceed the limit, returns false and counts nothing. This is
   * not a refusal. A process remembers the last 200,000 counted items of all clients; it counts again what it has
   * dropped, and what another process has counted.
   */
  countOnce(client: LimitedClient, name: CountedLimit, what: string): boolean;
  /**
   * Adds one, or the given amount, if the limit allows it, and returns 0; otherwise returns the milliseconds until a
   * retry may succeed. For clients that wait: this is not a refusal.
   */
  pace(client: LimitedClient, name: CountedLimit, amount?: number): number;
  /** Adds the cost of a request. A cost below the threshold of its limit is normal, and free. */
  charge(client: LimitedClient, name: CostLimit, amount: number): void;
  /**
   * Whether a request of the client, or of the largest network around it, is running that counts against this limit;
   * never for an exempt client.
   */
  hasRunning(client: LimitedClient, name: ConcurrentLimit): boolean;
  /** Takes a slot of each limit until `releaseSlots` with the same limits; returns the exceeded limit, if any. */
  takeSlots(client: LimitedClient, names: readonly ConcurrentLimit[]): LimitExceeded | undefined;
  /** Releases the slots of `takeSlots`. */
  releaseSlots(client: LimitedClient, names: readonly ConcurrentLimit[]): void;
  /** What the client has used of each limit that applies to it. */
  usage(client: LimitedClient): Usage[];
  /**
   * The header fields of draft-ietf-httpapi-ratelimit-headers-10 for those of the named limits that have a window;
   * r: how much is left, t: seconds until the window ends, q: how much there is in w seconds.
   */
  headers(client: LimitedClient, names: readonly LimitExceeded['reason'][]): Readonly<Record<string, string>>;
}

export interface LimiterOptions {
  readonly settings: LimitSettings & Pick<Values<typeof baseSettings>, 'environment' | 'source'>;
  /** Name of the service, for Redis. */
  readonly service: string;
  /** Interval of sharing counts through Redis. */
  readonly syncMs: number;
  /** The operator's blocks. */
  readonly blockList: BlockList;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A limiter that shares its counts from `start` to `stop`. */
export interface LimiterService extends Service, Limiter {
  /** What the limiter works without at present; empty when nothing is missing. */
  degradations(): string[];
}

/** Makes the limiter. It shares counts with other processes if there is a Redis. Throws a SettingsError. */
export function createLimiter(o: LimiterOptions): LimiterService {
  const { settings, blockList, service, syncMs: intervalMs, logger, metrics, now } = o;
  const clients = createLimitedClients(createLimitPolicy(settings.limits), blockList);
  const { redisUrl, environment, source } = settings;
  // One Redis may serve several registries and both environments.
  const keyPrefix = `cadastre:${environment}:${source}:limits:`;
  const shared =
    redisUrl === undefined
      ? undefined
      : createSharedCounts({ service, access: { ...settings, redisUrl }, keyPrefix, intervalMs, now, logger, metrics });
  return {
    clients,
    ...createChecks(settings.limits, shared, now),
    degradations: () => [
      ...(shared === undefined || shared.isConnected() ? [] : ['redis']),
      ...(blockList.isFollowed() ? [] : ['block list']),
    ],
    async start() {
      shared?.start();
    },
    async stop() {
      await shared?.stop();
    },
  };
}

const second = 1000;
const minute = 60 * second;

/** Windows start at whole multiples of their length, in milliseconds since 1970: days at midnight UTC. */
const windowLengths: Readonly<Record<Counted, number>> = {
  'personal-objects': 24 * 60 * minute,
  queries: second,
  searches: second,
  updates: second,
  'failed-credentials': minute,
  'bulk-resources': minute,
  'unknown-accounts': minute,
  bytes: minute,
  processing: minute,
  refusals: 10 * minute,
};

const usedLimits = limitNames.filter((name) => name !== 'search-objects');

/** How often a gateway fetches counts of an active client that only other gateways may have changed. */
const refreshMs = 1000;

/** Running requests soon end. */
const retryAfterConcurrentMs = 1000;

/** The entries of `countOnce` need at most about 30 MB. */
const maxCountedOnce = 200_000;

/** Lower costs are free: the many cheap requests need no counting. */
const cheapest: Readonly<Record<CostLimit, number>> = { bytes: 16_384, processing: 1 };

const noHeaders = {};

function createChecks(
  { blockAfter, blockTime }: GivenLimits,
  shared: SharedCounts | undefined,
  now: () => number,
): Omit<Limiter, 'clients'> {
  const countedOnce = createLastUsed<true>(maxCountedOnce);
  const add = (count: Count, amount: number) => {
    count.added += amount;
    shared?.share(count);
  };

  /** Blocks a client that continues after refusals. Several refusals within a second count as one mistake. */
  const noteRefusal = (client: LimitedClient, time: number) => {
    const { counters } = client;
    const present = Math.floor(time / second);
    if (blockAfter === 0 || counters.refusedIn === present) return;
    counters.refusedIn = present;
    const refusals = windowOf(client, 'refusals', time);
    add(refusals, 1);
    if (amountOf(refusals) < blockAfter) return;
    const block = repetitionBlockOf(client);
    block.shared = Math.max(block.shared, time + blockTime * second);
    shared?.share(block);
  };

  const refuse = (client: LimitedClient, reason: LimitName, retryAfterMs: number, time: number): LimitExceeded => {
    noteRefusal(client, time);
    return { reason, client, retryAfterMs };
  };

  const checkCount = (client: LimitedClient, name: CountedLimit, count: WindowCount, time: number) =>
    amountOf(count) > client.limits[name] ? refuse(client, name, count.expires - time, time) : undefined;

  /** Checks the networks around a client. The requests of neighbours never block a client. */
  const checkWider = (client: LimitedClient, name: CountedLimit, time: number): LimitExceeded | undefined => {
    for (const network of client.wider) {
      const count = windowOf(network, name, time);
      if (amountOf(count) > network.times * client.limits[name]) {
        return { reason: name, client, retryAfterMs: count.expires - time };
      }
    }
    return undefined;
  };

  /**
   * Counts an amount for a client and the networks around it and returns 0; when a limit does not allow it, returns the
   * milliseconds until the window ends.
   */
  const countIfAllowed = (client: LimitedClient, name: CountedLimit, time: number, amount = 1): number => {
    const own = windowOf(client, name, time);
    const around = client.wider.map((network) => windowOf(network, name, time));
    const isFull = around.some((one, index) => amountOf(one) >= client.wider[index]!.times * client.limits[name]);
    if (isFull || amountOf(own) >= client.limits[name]) return own.expires - time;
    if (amount > 0) for (const one of [own, ...around]) add(one, amount);
    return 0;
  };

  /** Requests the counts that other gateways may have made for a client. */
  const refresh = (client: LimitedClient, time: number) => {
    if (shared === undefined || time - client.counters.refreshed < refreshMs) return;
    client.counters.refreshed = time;
    shared.share(repetitionBlockOf(client));
    if (!isLimited(client, 'personal-objects')) return;
    for (const one of [client, ...client.wider]) shared.share(windowOf(one, 'personal-objects', time));
  };

  return {
    checkBlocked(client) {
      const { block, limits, counters } = client;
      const time = now();
      if (limits !== unlimited) refresh(client, time);
      if (block !== undefined && (block.until === undefined || block.until > time)) {
        const retryAfterMs = block.until === undefined ? undefined : block.until - time;
        return { reason: 'blocked-by-operator', client, retryAfterMs };
      }
      const until = counters.repetitionBlock?.shared ?? 0;
      if (until <= time || limits === unlimited) return undefined;
      return { reason: 'blocked-for-a-time', client, retryAfterMs: until - time };
    },
    check(client, name) {
      if (!isLimited(client, name)) return undefined;
      const time = now();
      return checkCount(client, name, windowOf(client, name, time), time) ?? checkWider(client, name, time);
    },
    count(client, name, amount = 1) {
      if (!isLimited(client, name)) return undefined;
      const time = now();
      const count = windowOf(client, name, time);
      add(count, amount);
      const exceeded = checkCount(client, name, count, time);
      if (exceeded !== undefined) return exceeded;
      for (const network of client.wider) add(windowOf(network, name, time), amount);
      return checkWider(client, name, time);
    },
    countOnce(client, name, what) {
      if (!isLimited(client, name)) return true;
      const time = now();
      const counted = `${windowOf(client, name, time).key} ${what}`;
      if (countedOnce.get(counted)) return true;
      if (countIfAllowed(client, name, time) > 0) return false;
      countedOnce.set(counted, true);
      return true;
    },
    pace: (client, name, amount = 1) => (isLimited(client, name) ? countIfAllowed(client, name, now(), amount) : 0),
    charge(client, name, amount) {
      if (amount < cheapest[name] || !isLimited(client, name)) return;
      const time = now();
      for (const one of [client, ...client.wider]) add(windowOf(one, name, time), Math.round(amount));
    },
    hasRunning({ counters, limits, wider }, name) {
      return limits !== unlimited && (wider.at(-1)?.counters ?? counters).running[name] > 0;
    },
    takeSlots(client, names) {
      const { running } = client.counters;
      for (const name of names) {
        if (running[name] >= client.limits[name]) return refuse(client, name, retryAfterConcurrentMs, now());
        for (const { counters, times } of client.wider) {
          if (counters.running[name] < times * client.limits[name]) continue;
          return { reason: name, client, retryAfterMs: retryAfterConcurrentMs };
        }
      }
      changeSlots(client, names, 1);
      return undefined;
    },
    releaseSlots(client, names) {
      changeSlots(client, names, -1);
    },
    usage(client) {
      const time = now();
      return usedLimits.filter((name) => isLimited(client, name)).map((name) => usageOf(client, name, time));
    },
    headers(client, names) {
      if (client.limits === unlimited) return noHeaders;
      const time = now();
      let ratelimit = '';
      for (const name of names) {
        if (!isCounted(name) || !isLimited(client, name)) continue;
        const count = windowOf(client, name, time);
        const left = Math.max(0, client.limits[name] - amountOf(count));
        const seconds = Math.ceil((count.expires - time) / second);
        ratelimit += `${ratelimit === '' ? '' : ', '}"${name}";r=${left};t=${seconds}`;
      }
      return ratelimit === '' ? noHeaders : { ratelimit, 'ratelimit-policy': policyOf(client, names) };
    },
  };
}

function changeSlots({ counters, wider }: LimitedClient, names: readonly ConcurrentLimit[], change: 1 | -1): void {
  for (const name of names) {
    counters.running[name] += change;
    for (const network of wider) network.counters.running[name] += change;
  }
}

/** Values of ratelimit-policy, which depend on neither time nor use. */
const policies = new WeakMap<LimitValues, WeakMap<readonly LimitExceeded['reason'][], string>>();

function policyOf(client: LimitedClient, names: readonly LimitExceeded['reason'][]): string {
  const { limits } = client;
  const known = policies.get(limits) ?? new WeakMap();
  const made = known.get(names);
  if (made !== undefined) return made;
  const shown = names.filter((name) => isCounted(name)).filter((name) => isLimited(client, name));
  const policy = shown.map((name) => `"${name}";q=${limits[name]};w=${windowLengths[name] / second}`).join(', ');
  policies.set(limits, known.set(names, policy));
  return policy;
}

function isLimited({ limits }: LimitedClient, name: LimitName): boolean {
  return limits[name] !== Number.POSITIVE_INFINITY;
}

function isCounted(name: LimitExceeded['reason']): name is CountedLimit {
  return name in windowLengths;
}

function usageOf(client: LimitedClient, name: UsedLimit, time: number): Usage {
  const limit = client.limits[name];
  if (isConcurrent(name)) return { name, limit, used: client.counters.running[name], window: undefined };
  const count = windowOf(client, name, time);
  return { name, limit, used: amountOf(count), window: { lengthMs: windowLengths[name], end: count.expires } };
}

/** The count of the window that contains `time` (milliseconds since 1970). */
function windowOf(
  { id, counters: { windows } }: LimitedClient | WiderNetwork,
  name: Counted,
  time: number,
): WindowCount {
  const length = windowLengths[name];
  const window = Math.floor(time / length);
  const current = windows[name];
  if (current?.window === window) return current;
  const expires = (window + 1) * length;
  const next = { ...newCount(`${name}:${window}:${id}`, expires), expires, window };
  windows[name] = next;
  return next;
}

function repetitionBlockOf({ id, counters }: LimitedClient): Count {
  counters.repetitionBlock ??= newCount(`block:${id}`, undefined);
  return counters.repetitionBlock;
}
