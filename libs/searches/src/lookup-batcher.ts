import { type Lookup, type LookupAnswer, LookupStatus, type ObjectReaderServiceService } from '@cadastre/proto/objects';
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

function outcomeOf(answer: LookupAnswer): BatchOutcome<LookupAnswer> {
  if (answer.status === LookupStatus.LOOKUP_STATUS_ASK_AGAIN) return 'again';
  if (answer.status === LookupStatus.LOOKUP_STATUS_UNREADABLE) return { error: unreadable() };
  return { answer };
}

/** The objects service logs the fault of the object. */
function unreadable(): ServiceError {
  return new ServiceError('internal', 'What is stored for this key cannot be read');
}
