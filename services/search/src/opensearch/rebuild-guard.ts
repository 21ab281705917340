import { ServiceError } from '@cadastre/service';
import type { Rebuild } from '../index-port.js';
import type { InTurn } from './in-turn.js';

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
