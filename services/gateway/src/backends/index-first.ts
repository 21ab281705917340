import { type CallOptions, ServiceError } from '@cadastre/service';

/** Asks search for an answer of its index that shows at least the state with a serial; `call` has less time. */
type AskIndex<T> = (minSerial: bigint, call: CallOptions) => Promise<T>;

/** The answer of the index, or else that of the objects service. */
export type IndexFirst = <T extends object>(
  call: CallOptions,
  askIndex: AskIndex<T & { readonly answered: boolean }>,
  askObjects: (call: CallOptions) => Promise<T>,
) => Promise<T>;

/** The objects service answers if the index does not within this time. */
const maxIndexMs = 1_000;
/** For how long the objects service answers alone after search has failed: search may hang. */
const withoutIndexMs = 1_000;

/**
 * Reads from the index of search if it is as new as `newestSerial`, which this gateway has seen of the main source, else
 * from the objects service.
 */
export function createIndexFirst(newestSerial: () => bigint | undefined, deadlineMs: number): IndexFirst {
  let withoutIndexUntil = 0;
  return async (call, askIndex, askObjects) => {
    const minSerial = newestSerial();
    if (minSerial === undefined || performance.now() < withoutIndexUntil) return askObjects(call);
    const within = { ...call, deadlineMs: Math.min(maxIndexMs, deadlineMs) };
    const found = await askIndex(minSerial, within).catch((error) => {
      if (!(error instanceof ServiceError) || call.signal?.aborted) throw error;
      withoutIndexUntil = performance.now() + withoutIndexMs;
      return undefined;
    });
    return found?.answered ? found : askObjects(call);
  };
}
