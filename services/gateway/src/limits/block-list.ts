import { parseNetwork } from '@cadastre/rpsl';
import type { OperatorBlock } from './consumer.js';
import { createNetworks, type Networks } from './networks.js';

/** The networks that the operator has blocked, as far as they are known here. */
export interface BlockList {
  /** The block that holds for an address. Of several that of the smallest network counts. */
  find(address: string): OperatorBlock | undefined;
  /** Another number after every change. */
  version(): number;
  /** Puts other blocks in the place of all. */
  replace(blocks: Iterable<{ readonly prefix: string } & OperatorBlock>): void;
}

/** Makes a list without blocks. */
export function createBlockList(): BlockList {
  let networks: Networks<OperatorBlock> = createNetworks<OperatorBlock>([]);
  let version = 0;
  return {
    find: (address) => networks.find(address),
    version: () => version,
    replace(blocks) {
      networks = createNetworks(
        [...blocks].flatMap(({ prefix, until }) => {
          const range = parseNetwork(prefix);
          return range ? [[range, { until }] as const] : [];
        }),
      );
      version += 1;
    },
  };
}
