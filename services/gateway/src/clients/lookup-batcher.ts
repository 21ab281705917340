import type { Lookup, LookupAnswer, ObjectReaderServiceService } from '@cadastre/proto/objects';
import { type RpcClient, ServiceError } from '@cadastre/service';

/** Looks up one object. Throws a ServiceError. */
export type LookUp = (lookup: Lookup) => Promise<LookupAnswer>;

/** Bounds of the batches. */
export interface BatchLimits {
  /** Lookups per call. */
  readonly size: number;
  /** Calls that wait for an answer at the same time; further lookups wait in a queue. */
  readonly callsInFlight: number;
  /** How long one lookup may take, its time in the queue included. */
  readonly deadlineMs: number;
}

interface Waiting {
  readonly lookup: Lookup;
  /** On the clock of `performance.now()`. */
  readonly expires: number;
  readonly resolve: (answer: LookupAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers the lookups of one event-loop turn into one BatchLookup: a call costs far more than a lookup. An error of a
 * call falls on the lookups that were in it and on no others.
 */
export function createLookupBatcher(
  reader: Pick<RpcClient<typeof ObjectReaderServiceService>, 'batchLookup'>,
  limits: BatchLimits,
): LookUp {
  let queue: Waiting[] = [];
  let scheduled = false;
  let callsInFlight = 0;

  const sendAll = () => {
    scheduled = false;
    queue = withoutExpired(queue);
    while (queue.length > 0 && callsInFlight < limits.callsInFlight) void send(queue.splice(0, limits.size));
  };

  const send = async (batch: Waiting[]) => {
    callsInFlight++;
    try {
      const lookups = batch.map((waiting) => waiting.lookup);
      const deadlineMs = Math.max(1, batch[0]!.expires - performance.now());
      settle(batch, (await reader.batchLookup({ lookups }, { deadlineMs })).answers);
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    } finally {
      callsInFlight--;
      if (queue.length > 0) sendAll();
    }
  };

  return (lookup) =>
    new Promise((resolve, reject) => {
      queue.push({ lookup, expires: performance.now() + limits.deadlineMs, resolve, reject });
      if (scheduled) return;
      scheduled = true;
      setImmediate(sendAll);
    });
}

function settle(batch: readonly Waiting[], answers: readonly LookupAnswer[]): void {
  if (answers.length !== batch.length) throw new ServiceError('internal', 'Lookups and answers do not match');
  batch.forEach((waiting, index) => {
    waiting.resolve(answers[index]!);
  });
}

function withoutExpired(queue: Waiting[]): Waiting[] {
  const now = performance.now();
  if (queue.length === 0 || queue[0]!.expires > now) return queue;
  return queue.filter((waiting) => {
    if (waiting.expires > now) return true;
    waiting.reject(new ServiceError('timeout', 'The lookup took too long'));
    return false;
  });
}
