import { ServiceError } from '@cadastre/service';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Rebuild } from '../index-port.js';

/** Allows one rebuild of a source at a time in this process, and no finish while a batch is applied. */
export function createRebuildGuard(
  inTurn: InTurn,
): (source: string, start: () => Promise<Rebuild>) => Promise<Rebuild> {
  const running = new Map<string, symbol>();
  return async (source, start) => {
    if (running.has(source)) throw new ServiceError('conflict', 'A rebuild of the source is running');
    const mine = Symbol(source);
    running.set(source, mine);
    const release = () => {
      if (running.get(source) === mine) running.delete(source);
    };
    try {
      const rebuild = await start();
      return {
        ...rebuild,
        finish: async (reached) => {
          const isFinished = await inTurn(source, () => rebuild.finish(reached));
          if (isFinished) release();
          return isFinished;
        },
        suspend: (failure) => rebuild.suspend(failure).finally(release),
        abandon: (failure) => rebuild.abandon(failure).finally(release),
      };
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** Runs jobs of the same name one after the other. */
type InTurn = <T>(name: string, job: () => Promise<T>) => Promise<T>;

/** Makes the queues of a process, one for each name. */
export function createNamedQueues(): InTurn {
  const queues = new Map<string, LimitFunction>();
  return (name, job) => {
    const queue = queues.get(name) ?? pLimit(1);
    queues.set(name, queue);
    return queue(job);
  };
}
