import type {
  AbuseContact,
  AbuseContactServiceService,
  GeolocationServiceService,
  Location,
} from '@cadastre/proto/geo';
import type { ItemFailure } from '@cadastre/proto/registry';
import {
  type BatchCall,
  type Batched,
  type BatchOutcome,
  createBatcher,
  errorOfFailure,
  type RpcClient,
  ServiceError,
} from '@cadastre/service';

/** Finds the abuse contact of a resource. Throws a ServiceError. */
export type FindAbuseContact = Batched<string, AbuseContact>;

/** Finds the location of a resource. Throws a ServiceError. */
export type Locate = Batched<string, Location>;

/** Bounds of one call; geo answers up to 500 resources. */
const bounds = {
  size: 100,
  bytes: 64 * 1024,
  bytesOf: (resource: string) => resource.length,
  callsInFlight: 4,
};

/** Sends the requests of one event-loop turn in one BatchFindAbuseContacts. */
export function createAbuseContactBatcher(
  client: Pick<RpcClient<typeof AbuseContactServiceService>, 'batchFindAbuseContacts'>,
  deadlineMs: number,
): FindAbuseContact {
  return createGeoBatcher(deadlineMs, async (request, call) => {
    const { answers } = await client.batchFindAbuseContacts(request, call);
    return answers.map((answer) => outcomeOf(answer, answer.contact));
  });
}

/** Sends the requests of one event-loop turn in one BatchLocate. */
export function createLocationBatcher(
  client: Pick<RpcClient<typeof GeolocationServiceService>, 'batchLocate'>,
  deadlineMs: number,
): Locate {
  return createGeoBatcher(deadlineMs, async (request, call) => {
    const { answers } = await client.batchLocate(request, call);
    return answers.map((answer) => outcomeOf(answer, answer.location));
  });
}

function createGeoBatcher<T>(
  deadlineMs: number,
  ask: (request: { resources: string[] }, call: BatchCall) => Promise<BatchOutcome<T>[]>,
): Batched<string, T> {
  return createBatcher({ ...bounds, deadlineMs, send: (resources, call) => ask({ resources: [...resources] }, call) });
}

function outcomeOf<T>(
  { failure }: { readonly failure?: ItemFailure | undefined },
  found: T | undefined,
): BatchOutcome<T> {
  if (found !== undefined) return { answer: found };
  if (failure !== undefined) return { error: errorOfFailure(failure) };
  return { error: new ServiceError('internal', 'An answer of the geo service is incomplete') };
}
