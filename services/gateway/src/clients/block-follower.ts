import { setTimeout as delay } from 'node:timers/promises';
import type { BlockListServiceService } from '@cadastre/proto/auth';
import { type Logger, type RpcClient, type Service, toServiceError } from '@cadastre/service';
import type { BlockList } from '../limits/block-list.js';

/** What is needed to follow the operator's blocks. */
export interface BlockFollowerOptions {
  readonly client: Pick<RpcClient<typeof BlockListServiceService>, 'listBlocks'>;
  readonly blockList: BlockList;
  readonly logger: Logger;
  /** Time between two questions. */
  readonly intervalMs: number;
}

/** Follows the operator's blocks for as long as it runs. */
export interface BlockFollower extends Service {
  /** Whether the last question was answered; true before the first. */
  connected(): boolean;
}

/** Asks for the blocks again and again; while there is no answer those that are known go on. */
export function createBlockFollower({ client, blockList, logger, intervalMs }: BlockFollowerOptions): BlockFollower {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> = Promise.resolve();
  let connected = true;
  let version = 0n;
  const ask = async () => {
    const answer = await client.listBlocks({ knownVersion: version }, { signal });
    version = answer.version;
    if (answer.unchanged) return;
    blockList.replace(answer.blocks.map(({ prefix, until }) => ({ prefix, until: until?.getTime() })));
  };
  const follow = async () => {
    while (!signal.aborted) {
      try {
        await ask();
        connected = true;
      } catch (error) {
        const reason = toServiceError(error).kind;
        if (connected && !signal.aborted) logger.warn({ reason }, 'the blocks of the operator are not told');
        connected = false;
      }
      await delay(intervalMs, undefined, { signal }).catch(() => {});
    }
  };
  return {
    connected: () => connected,
    start: async () => {
      running = follow();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
