import type { Consumer } from './consumer.js';
import { amountOf, type Count, newCount } from './count.js';
import type { CountSync } from './count-sync.js';
import { windowOf } from './windows.js';

/** Blocks, for a time, who keeps on after being refused. */
export interface Repetition {
  /** A consumer is refused because of a limit. */
  refused(consumer: Consumer): void;
  /** Until when it is blocked, in milliseconds since 1970; past when it is not. */
  blockedUntil(consumer: Consumer): number;
  /** Has a block heard that another gateway may have set. */
  refresh(consumer: Consumer): void;
}

export interface RepetitionOptions {
  /** Absent when there is nobody to share counts with. */
  readonly sync: Pick<CountSync, 'touch'> | undefined;
  /** In how many seconds of the window a client may be refused before it is blocked; 0: never blocked. */
  readonly blockAfter: number;
  readonly blockTimeMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const second = 1000;

/** Makes the blocks; what is refused several times within a second is one mistake. */
export function createRepetition({ sync, blockAfter, blockTimeMs, now }: RepetitionOptions): Repetition {
  return {
    refused(consumer) {
      const present = Math.floor(now() / second);
      if (blockAfter === 0 || consumer.usage.refusedIn === present) return;
      consumer.usage.refusedIn = present;
      const refusals = windowOf(consumer, 'refusals', now());
      refusals.own += 1;
      sync?.touch(refusals);
      if (amountOf(refusals) < blockAfter) return;
      const block = blockOf(consumer);
      block.own = now() + blockTimeMs;
      sync?.touch(block);
    },
    blockedUntil: ({ usage }) => (usage.block === undefined ? 0 : amountOf(usage.block)),
    refresh: (consumer) => sync?.touch(blockOf(consumer)),
  };
}

function blockOf({ id, usage }: Consumer): Count {
  usage.block ??= newCount(`${id}:block`, usage.part, 'latest', Number.POSITIVE_INFINITY);
  return usage.block;
}
