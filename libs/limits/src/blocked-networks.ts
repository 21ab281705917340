import type { Block } from '@cadastre/proto/auth';
import { parseNetwork } from '@cadastre/rpsl';
import type { Metrics } from '@cadastre/service';
import { Gauge } from 'prom-client';
import { createNetworks, type Networks } from './policy.js';

/** A block that the operator has set. */
export interface OperatorBlock {
  /** Milliseconds since 1970; absent when the block does not expire. */
  readonly until: number | undefined;
}

/**
 * The networks that the operator has blocked, as far as the auth service has reported them (credential-follower.ts).
 */
export interface BlockList {
  /** The block of an address. The block of the smallest network applies. */
  find(address: string): OperatorBlock | undefined;
  /** A number that every change changes. */
  version(): number;
  /** Replaces all blocks. */
  replace(blocks: readonly Block[]): void;
  /** Sets whether the auth service reports changes. If not, the known blocks stay in use. */
  setFollowed(isFollowed: boolean): void;
  /** Whether the auth service reports changes; true before the first `setFollowed`. */
  isFollowed(): boolean;
}

/** Makes a list without blocks. */
export function createBlockList(metrics: Metrics): BlockList {
  let networks: Networks<OperatorBlock> = createNetworks<OperatorBlock>([]);
  let version = 0;
  let followed = true;
  new Gauge({
    name: 'cadastre_block_list_followed',
    help: '1 while the block list follows the auth service, 0 while it may be out of date.',
    registers: [metrics],
    collect() {
      this.set(followed ? 1 : 0);
    },
  });
  return {
    find: (address) => networks.find(address),
    version: () => version,
    replace(blocks) {
      networks = createNetworks(
        blocks.flatMap(({ prefix, until }) => {
          const range = parseNetwork(prefix);
          return range ? [[range, { until: until?.getTime() }] as const] : [];
        }),
      );
      version += 1;
    },
    setFollowed(isFollowed) {
      followed = isFollowed;
    },
    isFollowed: () => followed,
  };
}
