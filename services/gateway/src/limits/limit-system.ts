import type { Logger, Metrics, Service } from '@cadastre/service';
import { Gauge } from 'prom-client';
import { type BlockFollower, createBlockFollower } from '../clients/block-follower.js';
import type { Neighbours } from '../clients/neighbours.js';
import type { GatewaySettings } from '../settings.js';
import { createBlockList } from './block-list.js';
import { type Consumers, createConsumers } from './consumers.js';
import { type CountSync, createCountSync } from './count-sync.js';
import { createLimitPolicy } from './limit-policy.js';
import { createLimits, type Limits } from './limits.js';
import { redisCountStore } from './redis-count-store.js';

/** Everything that limits clients. Runs from `start` to `stop`. */
export interface LimitSystem extends Service {
  readonly consumers: Consumers;
  readonly limits: Limits;
  /** What the limits lack at present, though they go on; empty when all is well. */
  lacks(): string[];
}

/** What the limits are made of. */
export interface LimitSystemOptions {
  readonly settings: GatewaySettings;
  /** Where the operator's blocks are told. */
  readonly blocks: Neighbours['blocks'];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Makes the limits: shared with other gateways through Redis if there is one. Throws a SettingsError. */
export function createLimitSystem({ settings, blocks, logger, metrics, now }: LimitSystemOptions): LimitSystem {
  const sync = settings.redisUrl === undefined ? undefined : createSync(settings, settings.redisUrl, logger, now);
  const blockList = createBlockList();
  const consumers = createConsumers(createLimitPolicy(settings), blockList);
  const limits = createLimits({ sync, blockAfter: settings.blockAfter, blockTimeMs: settings.blockTime, now });
  const intervalMs = settings.blockListInterval;
  const follower = createBlockFollower({ client: blocks, blockList, logger, intervalMs });
  showState(sync, follower, metrics);
  return {
    consumers,
    limits,
    lacks: () => [
      ...(sync === undefined || sync.connected() ? [] : ['redis']),
      ...(follower.connected() ? [] : ['block list']),
    ],
    async start() {
      sync?.start();
      await follower.start();
    },
    async stop() {
      await follower.stop();
      await sync?.stop();
    },
  };
}

function createSync(settings: GatewaySettings, url: string, logger: Logger, now: () => number): CountSync {
  // One Redis may serve several registries and both environments.
  const prefix = `cadastre:${settings.environment}:${settings.source}:limits:`;
  return createCountSync({ store: redisCountStore(url, prefix, logger), intervalMs: settings.limitsSync, now, logger });
}

function showState(sync: CountSync | undefined, follower: BlockFollower, metrics: Metrics): void {
  const show = (name: string, help: string, isWell: () => boolean) =>
    new Gauge({
      name,
      help,
      registers: [metrics],
      collect() {
        this.set(isWell() ? 1 : 0);
      },
    });
  show(
    'cadastre_block_list_followed',
    "1 while the operator's blocks are followed, 0 while they may be out of date.",
    follower.connected,
  );
  if (sync === undefined) return;
  show(
    'cadastre_limits_shared',
    '1 while query limits are shared through Redis, 0 while Redis is away.',
    sync.connected,
  );
}
