import { LookupStatus } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import type { SearchServiceService } from '@cadastre/proto/search';
import type { TypeAndKey } from '@cadastre/rdap';
import { foldKey } from '@cadastre/rpsl';
import type { LookUp } from '@cadastre/searches';
import { type Batched, type BatchOutcome, type CallOptions, createBatcher, type RpcClient } from '@cadastre/service';
import type { IndexFirst } from './index-first.js';
import { objectName } from './lookup-cache.js';

/** Finds an object of the main source, with its e-mail addresses. Throws a ServiceError. */
export type FindByKey = Batched<TypeAndKey, RegistryObject | undefined>;

export type KeySearch = Pick<RpcClient<typeof SearchServiceService>, 'findByKeys'>;

/** Finds objects in the index of search: one for each name, undefined for those that do not exist. */
export async function findInIndex(
  search: KeySearch,
  source: string,
  names: readonly TypeAndKey[],
  minSerial: bigint,
  call: CallOptions,
): Promise<{ readonly answered: boolean; readonly found: readonly (RegistryObject | undefined)[] }> {
  const keys = names.map((name) => ({ source, ...name }));
  const { answered, objects } = await search.findByKeys({ keys, minSerial }, call);
  const nameOf = ({ type, key }: TypeAndKey) => objectName(source, type, foldKey(type, key));
  const byName = new Map(objects.map((one) => [nameOf(one as TypeAndKey), one]));
  return { answered, found: names.map((name) => byName.get(nameOf(name))) };
}

/** Finds the objects of one event-loop turn in one call to search, or else to the objects service. */
export function createObjectBatcher(
  { search, lookUp }: { readonly search: KeySearch; readonly lookUp: LookUp },
  indexFirst: IndexFirst,
  { source, deadlineMs }: { readonly source: string; readonly deadlineMs: number },
): FindByKey {
  type Outcomes = readonly BatchOutcome<RegistryObject | undefined>[];
  const view = View.VIEW_UNFILTERED;
  const lookUpOne = (name: TypeAndKey, signal: AbortSignal | undefined) =>
    lookUp({ key: { source, ...name }, view, withContacts: false }, signal).then(
      ({ status, object }) => ({ answer: status === LookupStatus.LOOKUP_STATUS_FOUND ? object : undefined }),
      (error: Error) => ({ error }),
    );
  return createBatcher({
    ...{ size: 100, callsInFlight: 8, deadlineMs },
    async send(names: readonly TypeAndKey[], call) {
      const { outcomes } = await indexFirst<{ readonly outcomes: Outcomes }>(
        call,
        async (minSerial, within) => {
          const { answered, found } = await findInIndex(search, source, names, minSerial, within);
          return { answered, outcomes: found.map((answer) => ({ answer })) };
        },
        async ({ signal }) => ({ outcomes: await Promise.all(names.map((name) => lookUpOne(name, signal))) }),
      );
      return outcomes;
    },
  });
}
