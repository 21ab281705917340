import type { Logger, Metrics, Service } from '@cadastre/service';
import { Gauge } from 'prom-client';
import type { GatewaySettings } from '../settings.js';
import { type BlockList, createBlockList } from './block-list.js';
import { type Consumers, createConsumers } from './consumers.js';
import { type CountSync, createCountSync } from './count-sync.js';
import { createLimitPolicy } from './limit-policy.js';
import { createLimits, type Limits } from './limits.js';
import { redisCountStore } from './redis-count-store.js';

/** Everything that limits clients. Runs from `start` to `stop`. */
export interface LimitSystem extends Service {
  readonly consumers: Consumers;
  readonly limits: Limits;
  readonly blockList: BlockList;
  /** What the limits lack at present, though they go on; empty when all is well. */
  lacks(): string[];
}

/** What the limits are made of. */
export interface LimitSystemOptions {
  readonly settings: GatewaySettings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Makes the limits: shared with other gateways through Redis if there is one. Throws a SettingsError. */
export function createLimitSystem({ settings, logger, metrics, now }: LimitSystemOptions): LimitSystem {
  const sync = settings.redisUrl === undefined ? undefined : createSync(settings, settings.redisUrl, logger, now);
  const blockList = createBlockList();
  const consumers = createConsumers(createLimitPolicy(settings), blockList);
  const limits = createLimits({ sync, blockAfter: settings.blockAfter, blockTimeMs: settings.blockTime, now });
  if (sync) showConnection(sync, metrics);
  return {
    consumers,
    limits,
    blockList,
    lacks: () => (sync === undefined || sync.connected() ? [] : ['redis']),
    start: async () => sync?.start(),
    stop: async () => sync?.stop(),
  };
}

function createSync(settings: GatewaySettings, url: string, logger: Logger, now: () => number): CountSync {
  // One Redis may serve several registries and both environments.
  const prefix = `cadastre:${settings.environment}:${settings.source}:limits:`;
  return createCountSync({ store: redisCountStore(url, prefix, logger), intervalMs: settings.limitsSync, now, logger });
}

function showConnection(sync: CountSync, metrics: Metrics): void {
  new Gauge({
    name: 'cadastre_limits_shared',
    help: '1 while query limits are shared with other gateways through Redis, 0 while Redis is away.',
    registers: [metrics],
    collect() {
      this.set(sync.connected() ? 1 : 0);
    },
  });
}
