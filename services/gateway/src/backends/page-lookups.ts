import { LookupStatus, type ObjectReaderServiceService } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import type { TypeAndKey } from '@cadastre/rdap';
import { type Batched, type CallOptions, createBatcher, type RpcClient } from '@cadastre/service';
import type { IndexFirst } from './index-first.js';
import { findInIndex, type KeySearch } from './object-batcher.js';

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

interface Backends {
  readonly reader: Pick<RpcClient<typeof ObjectReaderServiceService>, 'batchLookup'>;
  readonly search: KeySearch;
}

/** Makes the lookup of pages. */
export function createPageLookups(
  { reader, search }: Backends,
  indexFirst: IndexFirst,
  { source, deadlineMs }: { readonly source: string; readonly deadlineMs: number },
): LookUpPage {
  const fromIndex = async (names: readonly TypeAndKey[], minSerial: bigint, call: CallOptions) => {
    const { answered, found } = await findInIndex(search, source, names, minSerial, call);
    return { answered, objects: found.filter((one) => one !== undefined), isWhole: true };
  };
  const lookUp = async (names: readonly TypeAndKey[], call: CallOptions): Promise<LookupPage> => {
    const view = View.VIEW_UNFILTERED;
    const lookups = names.map((name) => ({ key: { source, ...name }, view, withContacts: false }));
    const { answers } = await reader.batchLookup({ lookups }, call);
    const end = answers.findIndex(({ status }) => status === LookupStatus.LOOKUP_STATUS_ASK_AGAIN);
    const first = end < 0 ? answers : answers.slice(0, end);
    const objects = first.flatMap(({ status, object }) =>
      status === LookupStatus.LOOKUP_STATUS_FOUND && object ? [object] : [],
    );
    return { objects, isWhole: end < 0 };
  };
  return createBatcher({
    ...{ size: 1, callsInFlight, deadlineMs },
    async send([names = []]: readonly (readonly TypeAndKey[])[], call) {
      const answer = await indexFirst<LookupPage>(
        call,
        (minSerial, within) => fromIndex(names, minSerial, within),
        (within) => lookUp(names, within),
      );
      return [{ answer }];
    },
  });
}
