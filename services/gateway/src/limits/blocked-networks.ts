import { setTimeout as delay } from 'node:timers/promises';
import type { BlockListServiceService } from '@cadastre/proto/auth';
import { parseNetwork } from '@cadastre/rpsl';
import {
  keepTryingService,
  type Logger,
  type Metrics,
  type RpcClient,
  type Service,
  toServiceError,
} from '@cadastre/service';
import { Gauge } from 'prom-client';
import { createNetworks, type Networks } from './policy.js';

/** A block that the operator has set. */
export interface OperatorBlock {
  /** Milliseconds since 1970; absent when it has no end. */
  readonly until: number | undefined;
}

/** The networks that the operator has blocked. Follows the auth service from `start` to `stop`. */
export interface BlockList extends Service {
  /** The block of an address. Of several blocks that of the smallest network counts. */
  find(address: string): OperatorBlock | undefined;
  /** Another number after every change. */
  version(): number;
  /** Whether the last call of the auth service succeeded; true before the first. */
  isConnected(): boolean;
}

export interface BlockListOptions {
  readonly client: Pick<RpcClient<typeof BlockListServiceService>, 'listBlocks'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Time between two questions. */
  readonly intervalMs: number;
}

/** Fetches the blocks every `intervalMs`. If that fails, the known blocks stay in use. */
export function createBlockList({ client, logger, metrics, intervalMs }: BlockListOptions): BlockList {
  let networks: Networks<OperatorBlock> = createNetworks<OperatorBlock>([]);
  let version = 0;
  let knownVersion = 0n;
  let isConnected = true;
  const service = keepTryingService({
    async work(signal) {
      const answer = await client.listBlocks({ knownVersion }, { signal });
      isConnected = true;
      knownVersion = answer.version;
      if (!answer.unchanged) {
        networks = createNetworks(
          answer.blocks.flatMap(({ prefix, until }) => {
            const range = parseNetwork(prefix);
            return range ? [[range, { until: until?.getTime() }] as const] : [];
          }),
        );
        version += 1;
      }
      await delay(intervalMs, undefined, { signal });
    },
    onFailure(error) {
      if (isConnected) logger.warn({ reason: toServiceError(error).kind }, 'cannot refresh the block list');
      isConnected = false;
    },
    pauses: { firstMs: intervalMs, longestMs: intervalMs },
  });
  new Gauge({
    name: 'cadastre_block_list_followed',
    help: "1 while the operator's blocks are followed, 0 while they may be out of date.",
    registers: [metrics],
    collect() {
      this.set(isConnected ? 1 : 0);
    },
  });
  return {
    ...service,
    find: (address) => networks.find(address),
    version: () => version,
    isConnected: () => isConnected,
  };
}
