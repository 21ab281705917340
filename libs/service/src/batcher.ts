import { ServiceError } from './errors.js';
import { abortError } from './rpc/call.js';

/** The result of a call for one item of its batch. */
export type BatchOutcome<Answer> =
  | { readonly answer: Answer }
  | { readonly error: Error }
  /** The item was not handled: the next call sends it first. */
  | 'again';

/** Options of the call that sends a batch. */
export interface BatchCall {
  /** The remaining time of the newest item. */
  readonly deadlineMs: number;
  /** Aborted when all callers of the batch have given up. */
  readonly signal: AbortSignal;
}

export interface BatcherOptions<Item, Answer> {
  /** Sends items. Returns one outcome for each, in order. If it rejects, all its items fail. */
  send(items: readonly Item[], call: BatchCall): Promise<readonly BatchOutcome<Answer>[]>;
  /** Maximum items per call. */
  readonly size: number;
  /** Maximum bytes of the items of a call, unless one item alone has more; default: no limit. */
  readonly bytes?: number;
  /** Bytes of an item; needed with `bytes`. */
  bytesOf?(item: Item): number;
  /** Maximum concurrent calls; further items wait in a queue. */
  readonly callsInFlight: number;
  /** Timeout of one item, including its time in the queue. */
  readonly deadlineMs: number;
}

/** Handles one item. Throws a ServiceError. The signal cancels the item. */
export type Batched<Item, Answer> = (item: Item, signal?: AbortSignal) => Promise<Answer>;

interface Waiting<Item, Answer> {
  readonly item: Item;
  /** On the clock of `performance.now()`. */
  readonly expires: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** The caller no longer waits. */
  gone: boolean;
  /** Called when the caller gives up. */
  onGone: () => void;
}

/**
 * Sends the items of one event-loop turn in one call, together with those that arrived while calls were running,
 * because a call costs far more than an item. Each item has its own outcome, deadline and cancellation; when a call
 * fails, its items fail.
 */
export function createBatcher<Item, Answer>(o: BatcherOptions<Item, Answer>): Batched<Item, Answer> {
  let queue: Waiting<Item, Answer>[] = [];
  let scheduled = false;
  let callsInFlight = 0;

  const sendAll = () => {
    scheduled = false;
    queue = withoutEnded(queue);
    while (queue.length > 0 && callsInFlight < o.callsInFlight && pace.mayCall(queue.length)) {
      void send(queue.splice(0, fitting(queue, o)));
    }
  };
  const pace = createCallPace(sendAll);

  const send = async (batch: Waiting<Item, Answer>[]) => {
    callsInFlight++;
    const endCall = pace.begin();
    const abandoned = new AbortController();
    let awaited = batch.length;
    for (const waiting of batch) waiting.onGone = () => --awaited === 0 && abandoned.abort();
    try {
      // The deadline of the newest item: retried items would leave the others no time.
      const deadlineMs = Math.max(1, batch.at(-1)!.expires - performance.now());
      const items = batch.map(({ item }) => item);
      const outcomes = await o.send(items, { deadlineMs, signal: abandoned.signal });
      queue = [...settle(batch, outcomes), ...queue];
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    } finally {
      endCall();
      callsInFlight--;
      if (queue.length > 0) sendAll();
    }
  };

  return (item, signal) => {
    if (signal?.aborted) return Promise.reject(abortError(signal));
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiting.gone = true;
        waiting.reject(abortError(signal!));
        waiting.onGone();
      };
      // A signal may live for many items: each removes its listener.
      const waiting: Waiting<Item, Answer> = {
        ...{ item, expires: performance.now() + o.deadlineMs, gone: false, onGone() {} },
        resolve(answer) {
          signal?.removeEventListener('abort', giveUp);
          resolve(answer);
        },
        reject(error) {
          signal?.removeEventListener('abort', giveUp);
          reject(error);
        },
      };
      queue.push(waiting);
      signal?.addEventListener('abort', giveUp);
      if (scheduled) return;
      scheduled = true;
      setImmediate(sendAll);
    });
  };
}

/** Settles each item. Returns those to send again. */
function settle<Item, Answer>(
  batch: readonly Waiting<Item, Answer>[],
  outcomes: readonly BatchOutcome<Answer>[],
): Waiting<Item, Answer>[] {
  if (outcomes.length !== batch.length) throw new ServiceError('internal', 'Questions and answers do not match');
  return batch.filter((waiting, index) => {
    const outcome = outcomes[index]!;
    if (outcome === 'again') return !waiting.gone;
    if ('error' in outcome) waiting.reject(outcome.error);
    else waiting.resolve(outcome.answer);
    return false;
  });
}

/** How many of the first items fit into one call. */
function fitting<Item>(
  queue: readonly Waiting<Item, never>[],
  {
    size,
    bytes: max = Number.POSITIVE_INFINITY,
    bytesOf,
  }: Pick<BatcherOptions<Item, never>, 'size' | 'bytes' | 'bytesOf'>,
): number {
  if (bytesOf === undefined) return size;
  let bytes = 0;
  const first = queue.findIndex(({ item }, at) => {
    bytes += bytesOf(item);
    return at === size || (at > 0 && bytes > max);
  });
  return first < 0 ? queue.length : first;
}

function withoutEnded<Item, Answer>(queue: Waiting<Item, Answer>[]): Waiting<Item, Answer>[] {
  const now = performance.now();
  if (queue.every(({ expires, gone }) => expires > now && !gone)) return queue;
  return queue.filter(({ expires, gone, reject }) => {
    if (expires <= now) reject(new ServiceError('timeout', 'The request took too long'));
    return expires > now && !gone;
  });
}

/**
 * While this many calls have just begun, items wait for the next call. Two calls keep both sides busy: one side answers
 * one while the other side prepares the next.
 */
const maxNewCalls = 2;
/** This many items are sent without further waiting. */
const fullBatch = 32;
/** A call counts as just begun for this time, in milliseconds: a slow call must not delay the items of others. */
const newMs = 5;

/** Decides when calls with many items each begin. `onRoom` is called when a further call may begin while others are still running. */
function createCallPace(onRoom: () => void) {
  let newCalls = 0;
  return {
    /** Whether a call may begin for this number of items. */
    mayCall: (items: number): boolean => newCalls < maxNewCalls || items >= fullBatch,
    /** Counts a new call; call the returned function when it has ended. */
    begin(): () => void {
      newCalls++;
      let isNew = true;
      const end = () => {
        clearTimeout(timer);
        if (isNew) newCalls--;
        isNew = false;
      };
      const timer = setTimeout(() => {
        end();
        onRoom();
      }, newMs);
      return end;
    },
  };
}
