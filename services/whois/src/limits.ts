import { setTimeout as pause } from 'node:timers/promises';
import {
  type CountedLimit,
  costLimits,
  createBlockList,
  createCredentialFollower,
  createLimiter,
  type LimitExceeded,
  type LimitedClient,
  type Limiter,
} from '@cadastre/limits';
import type { Logger, Metrics, Service } from '@cadastre/service';
import type { Backends } from './context.js';
import type { WhoisSettings } from './settings.js';

/** A stream of blocks that is silent for longer counts as broken; its heartbeat comes every second. */
const silenceMs = 5_000;
/** Interval of sharing counts through Redis. */
const syncMs = 100;

interface LimitsOptions {
  readonly settings: WhoisSettings;
  readonly backends: Pick<Backends, 'auth'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The limits of clients, which follow the operator's blocks and share counts from `start` to `stop`. */
export function createLimits({ settings, backends, logger, metrics }: LimitsOptions): Service & { limiter: Limiter } {
  const blockList = createBlockList(metrics);
  const limiter = createLimiter({
    settings,
    service: 'whois',
    syncMs,
    blockList,
    logger,
    metrics,
    now: () => Date.now(),
  });
  const follower = createCredentialFollower({ ...backends, blockList, logger, silenceMs });
  return {
    limiter,
    async start() {
      await limiter.start();
      await follower.start();
    },
    async stop() {
      await follower.stop();
      await limiter.stop();
    },
  };
}

/**
 * Waits until the client may send another line of this kind, and the cost of its earlier lines is within the limits.
 * Clients send many lines in a row, and do not expect refusals: this slows their connection down. Rejects when the
 * connection is closed.
 */
export async function untilAllowed(
  limiter: Limiter,
  client: LimitedClient,
  counted: readonly CountedLimit[],
  signal: AbortSignal,
): Promise<void> {
  const wait = async (name: CountedLimit, amount: number) => {
    for (let ms = limiter.pace(client, name, amount); ms > 0; ms = limiter.pace(client, name, amount))
      await pause(ms, undefined, { signal });
  };
  for (const name of costLimits) await wait(name, 0);
  for (const name of counted) await wait(name, 1);
}

/** Returns whether the answers to the client have cost too much, so that a long answer must end. */
export function costsExceeded(limiter: Limiter, client: LimitedClient): LimitExceeded | undefined {
  for (const name of costLimits) {
    const exceeded = limiter.check(client, name);
    if (exceeded) return exceeded;
  }
  return undefined;
}
