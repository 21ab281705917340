import { EnclosingScope, type Excerpt, type HierarchyServiceService } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import type { FindNearestResponse, SearchServiceService } from '@cadastre/proto/search';
import type { ObjectTypeName } from '@cadastre/rpsl';
import { type Batched, type CallOptions, createBatcher, type RpcClient } from '@cadastre/service';
import type { IndexFirst } from './index-first.js';

/**
 * Finds the objects of the main source that enclose an address, prefix, range or zone, type by type and the smallest
 * first; none for an invalid resource. Very large objects have no text. Throws a ServiceError.
 */
export type FindEnclosing = Batched<string, readonly EnclosingObject[]>;

/** Finds all objects of these types that enclose an address, prefix, range or zone. Throws a ServiceError. */
export type FindLineage = (
  types: readonly ObjectTypeName[],
  resource: string,
  call: CallOptions,
) => Promise<readonly RegistryObject[]>;

export interface EnclosingObject extends RegistryObject {
  /** Of the first object, on request: whether it contains others of its type. */
  readonly isHolding?: boolean;
}

export interface EnclosingOptions {
  readonly source: string;
  readonly types: readonly ObjectTypeName[];
  readonly deadlineMs: number;
}

type Client = Pick<RpcClient<typeof HierarchyServiceService>, 'batchFindEnclosing'>;
type Search = Pick<RpcClient<typeof SearchServiceService>, 'findNearest'>;

/** The answers for resources, with each object once. */
type Enclosing = Pick<FindNearestResponse, 'answers' | 'objects'>;
type Ask = (resources: string[], call: CallOptions) => Promise<Enclosing>;

/** The parameters of a call besides the resources. */
interface HowToFind extends Pick<EnclosingOptions, 'source' | 'types'> {
  readonly scope: EnclosingScope;
  readonly maxObjects?: number;
  readonly excerpt?: Excerpt;
  readonly reportHolding?: true;
}

/** Of each type the smallest object, and the one around it; of the first one also whether it contains others. */
export function createNearestBatcher(
  { hierarchy, search }: { readonly hierarchy: Client; readonly search: Search },
  indexFirst: IndexFirst,
  { source, types, deadlineMs }: EnclosingOptions,
): FindEnclosing {
  const scope = EnclosingScope.ENCLOSING_SCOPE_ALL;
  const askObjects = askHierarchy(hierarchy, { source, types, scope, maxObjects: 2, reportHolding: true });
  return createEnclosingBatcher(deadlineMs, (resources, call) =>
    indexFirst<Enclosing>(
      call,
      (minSerial, within) => search.findNearest({ resources, types: [...types], minSerial }, within),
      (within) => askObjects(resources, within),
    ),
  );
}

/** The smallest larger object; callers use only its key. */
export function createParentBatcher(client: Client, { source, types, deadlineMs }: EnclosingOptions): FindEnclosing {
  const scope = EnclosingScope.ENCLOSING_SCOPE_PARENT;
  const excerpt = { attributes: [], related: 0 };
  return createEnclosingBatcher(deadlineMs, askHierarchy(client, { source, types, scope, excerpt }));
}

/** All objects; callers use only key, range and status. */
export function createLineages(client: Client, source: string): FindLineage {
  return async (types, resource, call) => {
    const request = {
      ...{ source, resources: [resource], types: [...types], view: View.VIEW_UNFILTERED, shareObjects: true },
      scope: EnclosingScope.ENCLOSING_SCOPE_ALL,
      excerpt: { attributes: ['status'], related: 0 },
    };
    const { answers, objects } = await client.batchFindEnclosing(request, call);
    return answers[0]!.positions.map((position) => objects[position]!);
  };
}

function askHierarchy(client: Client, { types, ...how }: HowToFind): Ask {
  const view = View.VIEW_UNFILTERED;
  return (resources, call) =>
    client.batchFindEnclosing({ resources, types: [...types], view, shareObjects: true, ...how }, call);
}

/** Asks for the resources of one event-loop turn in one call. */
function createEnclosingBatcher(deadlineMs: number, ask: Ask): FindEnclosing {
  return createBatcher({
    size: 100,
    callsInFlight: 8,
    deadlineMs,
    async send(resources: readonly string[], call) {
      const { answers, objects } = await ask([...resources], call);
      return answers.map(({ positions, holding }) => ({
        answer: positions.map((position, at) => {
          const object = objects[position]!;
          return at === 0 && holding !== undefined ? { ...object, isHolding: holding } : object;
        }),
      }));
    },
  });
}
