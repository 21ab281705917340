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

/** Looks up one object. Throws a ServiceError. */
export type LookUp = Batched<Lookup, LookupAnswer>;

/** Looks up one object as it was at a moment. Throws a ServiceError. */
export type LookUpPast = Batched<PastLookup, PastLookupAnswer>;

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

/** The same for lookups in the past. */
export function createPastLookupBatcher(
  reader: Pick<RpcClient<typeof ObjectReaderServiceService>, 'batchLookupPast'>,
  limits: BatchLimits,
): LookUpPast {
  return createBatcher({
    ...limits,
    async send(lookups: readonly PastLookup[], call) {
      const { answers } = await reader.batchLookupPast({ lookups: [...lookups] }, call);
      return answers.map(outcomeOf);
    },
  });
}

function outcomeOf<A extends { readonly status: LookupStatus }>(answer: A): BatchOutcome<A> {
  if (answer.status === LookupStatus.LOOKUP_STATUS_ASK_AGAIN) return 'again';
  if (answer.status === LookupStatus.LOOKUP_STATUS_UNREADABLE) return { error: unreadable() };
  return { answer };
}

/** The objects service logs what is wrong with the object. */
function unreadable(): ServiceError {
  return new ServiceError('internal', 'What is stored for this key cannot be read');
}
