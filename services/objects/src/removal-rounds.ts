import { errorText, keepTryingService, type Logger, pause, type Service } from '@cadastre/service';

/** Time between two rounds, and before the first one. */
const defaultRoundMs = 10 * 60 * 1000;
/** Pause between two batches, in which others use the disk. */
const batchPauseMs = 100;
/** Pauses while the database is unavailable. */
const pauses = { firstMs: 5_000, maxMs: 60_000 };

/** Removes old rows in the background, round after round. */
export function removalRounds(o: {
  /** The name of the rows, for the log. */
  readonly what: string;
  removeOld(signal: AbortSignal): Promise<void>;
  readonly logger: Logger;
  readonly roundMs?: number | undefined;
}): Service {
  return keepTryingService({
    async work(signal) {
      await pause(o.roundMs ?? defaultRoundMs, signal);
      await o.removeOld(signal);
    },
    onFailure: (error, pauseMs) => o.logger.warn({ reason: errorText(error), pauseMs }, `cannot remove ${o.what}`),
    pauses,
  });
}

/** Removes one batch after another, until a batch is not full; `remove` returns how many rows it removed. */
export async function removeAll(remove: () => Promise<number>, batchSize: number, signal: AbortSignal): Promise<void> {
  for (let removed = batchSize; removed === batchSize && !signal.aborted; ) {
    removed = await remove();
    if (removed === batchSize) await pause(batchPauseMs, signal);
  }
}
