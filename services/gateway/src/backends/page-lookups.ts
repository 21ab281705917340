import { LookupStatus, type ObjectReaderServiceService } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import type { TypeAndKey } from '@cadastre/rdap';
import { type Batched, createBatcher, type RpcClient } from '@cadastre/service';

/** The result of one call: about 2 MiB. */
export interface LookupPage {
  /** In the order of the names, without those that do not exist. */
  readonly objects: readonly RegistryObject[];
  /** Whether all names were looked up, not only the first ones. */
  readonly isWhole: boolean;
}

/**
 * Looks up objects for a page, with their e-mail addresses: as many of the first ones as fit into one call, at least
 * one. Any account may have a hundred objects of a megabyte, so a page has only some of the possible objects. Throws a
 * ServiceError.
 */
export type LookUpPage = Batched<readonly TypeAndKey[], LookupPage>;

/** Concurrent calls; each needs memory. */
const callsInFlight = 8;

/** Makes the lookup of pages. */
export function createPageLookups(
  reader: Pick<RpcClient<typeof ObjectReaderServiceService>, 'batchLookup'>,
  { source, deadlineMs }: { readonly source: string; readonly deadlineMs: number },
): LookUpPage {
  return createBatcher({
    ...{ size: 1, callsInFlight, deadlineMs },
    async send([names = []]: readonly (readonly TypeAndKey[])[], call) {
      const view = View.VIEW_UNFILTERED;
      const lookups = names.map((name) => ({ key: { source, ...name }, view, withContacts: false }));
      const { answers } = await reader.batchLookup({ lookups }, call);
      const end = answers.findIndex(({ status }) => status === LookupStatus.LOOKUP_STATUS_ASK_AGAIN);
      const first = end < 0 ? answers : answers.slice(0, end);
      const objects = first.flatMap(({ status, object }) =>
        status === LookupStatus.LOOKUP_STATUS_FOUND && object ? [object] : [],
      );
      return [{ answer: { objects, isWhole: end < 0 } }];
    },
  });
}
