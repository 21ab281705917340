import { errorText, keepTryingService, type Logger, pause, type Service } from '@cadastre/service';

/** What a process claims from the objects service, works on and settles there. */
export interface ClaimLoopOptions<T> {
  claim(): Promise<{ readonly claimed: readonly T[]; readonly more: boolean }>;
  /** Works on the claimed items until they are settled; or begins that, and returns. */
  work(claimed: readonly T[], signal: AbortSignal): Promise<void> | void;
  /** The log event when one of them has failed. */
  readonly failure: string;
  readonly logger: Logger;
  /** Pause when there is no more to claim. */
  readonly pollMs?: number | undefined;
}

const defaultPollMs = 1_000;

/** Claims and works until it is stopped; `stop` waits for the work. */
export function claimLoop<T>({ claim, work, failure, logger, pollMs = defaultPollMs }: ClaimLoopOptions<T>): Service {
  return keepTryingService({
    async work(signal, succeeded) {
      const { claimed, more } = await claim();
      succeeded();
      await work(claimed, signal);
      if (!more) await pause(pollMs, signal);
    },
    onFailure: (error, pauseMs) => logger.warn({ reason: errorText(error), pauseMs }, failure),
  });
}
