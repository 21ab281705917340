import type {
  AbuseContact,
  AbuseContactServiceService,
  GeolocationServiceService,
  Location,
} from '@cadastre/proto/geo';
import type { ItemFailure } from '@cadastre/proto/registry';
import {
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
  return createBatcher({
    ...bounds,
    deadlineMs,
    async send(resources, call) {
      const { answers } = await client.batchFindAbuseContacts({ resources: [...resources] }, call);
      return answers.map((answer) => outcomeOf(answer, answer.contact));
    },
  });
}

/** Sends the requests of one event-loop turn in one BatchLocate. */
export function createLocationBatcher(
  client: Pick<RpcClient<typeof GeolocationServiceService>, 'batchLocate'>,
  deadlineMs: number,
): Locate {
  return createBatcher({
    ...bounds,
    deadlineMs,
    async send(resources, call) {
      const { answers } = await client.batchLocate({ resources: [...resources] }, call);
      return answers.map((answer) => outcomeOf(answer, answer.location));
    },
  });
}

function outcomeOf<T>(
  { failure }: { readonly failure?: ItemFailure | undefined },
  found: T | undefined,
): BatchOutcome<T> {
  if (found !== undefined) return { answer: found };
  if (failure !== undefined) return { error: errorOfFailure(failure) };
  return { error: new ServiceError('internal', 'An answer of the geo service is incomplete') };
}
