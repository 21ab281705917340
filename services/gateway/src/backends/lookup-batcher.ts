import { type Lookup, type LookupAnswer, LookupStatus, type ObjectReaderServiceService } from '@cadastre/proto/objects';
import { type RpcClient, ServiceError } from '@cadastre/service';

/** Looks up one object. Throws a ServiceError. */
export type LookUp = (lookup: Lookup) => Promise<LookupAnswer>;

export interface BatchLimits {
  /** Lookups per call. */
  readonly size: number;
  /** Maximum concurrent calls; further lookups wait in a queue. */
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
 * Sends the lookups of one event-loop turn in one BatchLookup, because a call costs far more than a lookup. When a call
 * fails, its lookups fail. Lookups that the service asks to repeat are the first of the next call.
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
      // The deadline of the youngest: repeated lookups would leave the others no time.
      const deadlineMs = Math.max(1, batch.at(-1)!.expires - performance.now());
      const { answers } = await reader.batchLookup({ lookups }, { deadlineMs });
      queue = [...settle(batch, answers), ...queue];
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

/** Resolves each lookup. Returns the lookups to repeat. */
function settle(batch: readonly Waiting[], answers: readonly LookupAnswer[]): Waiting[] {
  if (answers.length !== batch.length) throw new ServiceError('internal', 'Lookups and answers do not match');
  return batch.filter((waiting, index) => {
    const answer = answers[index]!;
    if (answer.status === LookupStatus.LOOKUP_STATUS_ASK_AGAIN) return true;
    if (answer.status === LookupStatus.LOOKUP_STATUS_UNREADABLE) waiting.reject(unreadable());
    else waiting.resolve(answer);
    return false;
  });
}

/** The objects service logs what is wrong with the object. */
function unreadable(): ServiceError {
  return new ServiceError('internal', 'What is stored for this key cannot be read');
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
