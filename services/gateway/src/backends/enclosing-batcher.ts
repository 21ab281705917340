import { EnclosingScope, type Excerpt, type HierarchyServiceService } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import type { ObjectTypeName } from '@cadastre/rpsl';
import { type Batched, type CallOptions, createBatcher, type RpcClient } from '@cadastre/service';

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

/** The options of a call besides the resources. */
interface Question extends EnclosingOptions {
  readonly scope: EnclosingScope;
  readonly maxObjects: number | undefined;
  readonly excerpt: Excerpt | undefined;
  readonly tellHolding?: true;
}

/** Of each type the smallest object, and the one around it; of the first one also whether it contains others. */
export function createNearestBatcher(client: Client, o: EnclosingOptions): FindEnclosing {
  const scope = EnclosingScope.ENCLOSING_SCOPE_ALL;
  return createEnclosingBatcher(client, { ...o, scope, maxObjects: 2, excerpt: undefined, tellHolding: true });
}

/** The smallest larger object; callers use only its key. */
export function createParentBatcher(client: Client, o: EnclosingOptions): FindEnclosing {
  const scope = EnclosingScope.ENCLOSING_SCOPE_PARENT;
  return createEnclosingBatcher(client, {
    ...o,
    scope,
    maxObjects: undefined,
    excerpt: { attributes: [], related: 0 },
  });
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

/** Sends the requests of one event-loop turn in one BatchFindEnclosing. */
function createEnclosingBatcher(client: Client, { source, types, deadlineMs, ...how }: Question): FindEnclosing {
  return createBatcher({
    size: 100,
    callsInFlight: 8,
    deadlineMs,
    async send(resources: readonly string[], call) {
      const view = View.VIEW_UNFILTERED;
      const request = { source, resources: [...resources], types: [...types], view, shareObjects: true, ...how };
      const { answers, objects } = await client.batchFindEnclosing(request, call);
      return answers.map(({ positions, holding }) => ({
        answer: positions.map((position, at) => {
          const object = objects[position]!;
          return at === 0 && holding !== undefined ? { ...object, isHolding: holding } : object;
        }),
      }));
    },
  });
}
