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
  isUnimplemented,
  type RpcClient,
  ServiceError,
  toServiceError,
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
  client: Pick<RpcClient<typeof AbuseContactServiceService>, 'batchFindAbuseContacts' | 'findAbuseContact'>,
  deadlineMs: number,
): FindAbuseContact {
  return createGeoBatcher(deadlineMs, {
    async batch(resources, call) {
      const { answers } = await client.batchFindAbuseContacts({ resources }, call);
      return answers.map((answer) => outcomeOf(answer, answer.contact));
    },
    single: async (resource, call) => (await client.findAbuseContact({ resource }, call)).contact,
  });
}

/** Sends the requests of one event-loop turn in one BatchLocate. */
export function createLocationBatcher(
  client: Pick<RpcClient<typeof GeolocationServiceService>, 'batchLocate' | 'locate'>,
  deadlineMs: number,
): Locate {
  return createGeoBatcher(deadlineMs, {
    async batch(resources, call) {
      const { answers } = await client.batchLocate({ resources }, call);
      return answers.map((answer) => outcomeOf(answer, answer.location));
    },
    single: async (resource, call) => (await client.locate({ resource }, call)).location,
  });
}

/** Two ways to ask the geo service the same. */
interface Ask<T> {
  batch(resources: string[], call: BatchCall): Promise<BatchOutcome<T>[]>;
  single(resource: string, call: BatchCall): Promise<T | undefined>;
}

/** Release 0.2 of the geo service has no batches; both run side by side during an upgrade. */
function createGeoBatcher<T>(deadlineMs: number, { batch, single }: Ask<T>): Batched<string, T> {
  const alone = (resource: string, call: BatchCall) =>
    single(resource, call).then(
      (found) => outcomeOf({}, found),
      (error: unknown) => ({ error: toServiceError(error) }),
    );
  return createBatcher({
    ...bounds,
    deadlineMs,
    async send(resources, call) {
      try {
        return await batch([...resources], call);
      } catch (error) {
        if (!isUnimplemented(error)) throw error;
        return Promise.all(resources.map((resource) => alone(resource, call)));
      }
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
