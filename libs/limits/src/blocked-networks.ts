import type { Block } from '@cadastre/proto/auth';
import { parseNetwork } from '@cadastre/rpsl';
import type { Metrics } from '@cadastre/service';
import { Gauge } from 'prom-client';
import { createNetworks, type Networks } from './policy.js';

/** A block that the operator has set. */
export interface OperatorBlock {
  /** Milliseconds since 1970; absent when it has no end. */
  readonly until: number | undefined;
}

/** The networks that the operator has blocked, as far as the auth service told (credential-follower.ts). */
export interface BlockList {
  /** The block of an address. Of several blocks that of the smallest network counts. */
  find(address: string): OperatorBlock | undefined;
  /** Another number after every change. */
  version(): number;
  /** Replaces all blocks. */
  replace(blocks: readonly Block[]): void;
  /** Sets whether the auth service tells of changes. If not, the known blocks stay in use. */
  setFollowed(isFollowed: boolean): void;
  /** Whether it does; true before the first `setFollowed`. */
  isFollowed(): boolean;
}

/** Makes a list without blocks. */
export function createBlockList(metrics: Metrics): BlockList {
  let networks: Networks<OperatorBlock> = createNetworks<OperatorBlock>([]);
  let version = 0;
  let followed = true;
  new Gauge({
    name: 'cadastre_block_list_followed',
    help: "1 while the operator's blocks are followed, 0 while they may be out of date.",
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
