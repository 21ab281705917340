import type { AbuseContact, AbuseContactAnswer, AbuseContactServiceService } from '@cadastre/proto/geo';
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

/** Bounds of one call; search answers up to 500 resources. */
const bounds = {
  size: 100,
  bytes: 64 * 1024,
  bytesOf: (resource: string) => resource.length,
  callsInFlight: 4,
};

/**
 * Sends the requests of one event-loop turn in one BatchFindAbuseContacts: a page of RDAP needs a hundred contacts.
 * `newestSerial` is that of the main source, which the answers must show.
 */
export function createAbuseContactBatcher(
  client: Pick<RpcClient<typeof AbuseContactServiceService>, 'batchFindAbuseContacts'>,
  deadlineMs: number,
  newestSerial: () => bigint | undefined,
): FindAbuseContact {
  return createBatcher({
    ...bounds,
    deadlineMs,
    async send(resources, call) {
      const { answers } = await client.batchFindAbuseContacts(
        { resources: [...resources], minSerial: newestSerial() },
        call,
      );
      return answers.map(outcomeOf);
    },
  });
}

function outcomeOf({ contact, failure }: AbuseContactAnswer): BatchOutcome<AbuseContact> {
  if (contact !== undefined) return { answer: contact };
  if (failure !== undefined) return { error: errorOfFailure(failure) };
  return { error: new ServiceError('internal', 'An answer about an abuse contact is incomplete') };
}
