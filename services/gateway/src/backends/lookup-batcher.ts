import {
  type Lookup,
  type LookupAnswer,
  LookupStatus,
  type ObjectReaderServiceService,
  type PastLookup,
  type PastLookupAnswer,
} from '@cadastre/proto/objects';
import {
  type Batched,
  type BatcherOptions,
  type BatchOutcome,
  createBatcher,
  type RpcClient,
  ServiceError,
} from '@cadastre/service';
import { LRUCache } from 'lru-cache';

/** Looks up one object. Throws a ServiceError. */
export type LookUp = Batched<Lookup, LookupAnswer>;

/** Looks up one object in its state of a moment, in the turn of a client. Throws a ServiceError. */
export type LookUpPast = Batched<PastLookup & { readonly client?: string }, PastLookupAnswer>;

export type BatchLimits = Pick<BatcherOptions<never, never>, 'size' | 'callsInFlight' | 'deadlineMs'>;

/** Sends the lookups of one event-loop turn in one BatchLookup. */
export function createLookupBatcher(
  reader: Pick<RpcClient<typeof ObjectReaderServiceService>, 'batchLookup'>,
  limits: BatchLimits,
): LookUp {
  return createBatcher({
    ...limits,
    async send(lookups: readonly Lookup[], call) {
      const { answers } = await reader.batchLookup({ lookups: [...lookups] }, call);
      return answers.map(outcomeOf);
    },
  });
}

/**
 * Maximum number of clients whose lookups of the past are gathered at the same time; a client beyond them starts
 * another batch.
 */
const maxGathering = 1_000;

/** The same for lookups in the past. Each client has its own batches, and waits for its own turn only. */
export function createPastLookupBatcher(
  reader: Pick<RpcClient<typeof ObjectReaderServiceService>, 'batchLookupPast'>,
  limits: BatchLimits,
): LookUpPast {
  const batchers = new LRUCache<string, Batched<PastLookup, PastLookupAnswer>>({ max: maxGathering });
  const batcherOf = (client: string) =>
    createBatcher({
      ...limits,
      async send(lookups: readonly PastLookup[], call) {
        const { answers } = await reader.batchLookupPast({ lookups: [...lookups], client }, call);
        return answers.map(outcomeOf);
      },
    });
  return ({ client = '', ...lookup }, signal) => {
    const batcher = batchers.get(client) ?? batcherOf(client);
    batchers.set(client, batcher);
    return batcher(lookup, signal);
  };
}

function outcomeOf<A extends { readonly status: LookupStatus }>(answer: A): BatchOutcome<A> {
  if (answer.status === LookupStatus.LOOKUP_STATUS_ASK_AGAIN) return 'again';
  if (answer.status === LookupStatus.LOOKUP_STATUS_UNREADABLE) return { error: unreadable() };
  return { answer };
}

/** The objects service logs the fault of the object. */
function unreadable(): ServiceError {
  return new ServiceError('internal', 'What is stored for this key cannot be read');
}
