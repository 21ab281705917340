import { EnclosingScope, RelatedObjects } from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import type { CallOptions } from '@cadastre/service';
import type { ObjectsClient } from './references.js';

/** A prefix and an AS that may announce it. */
export interface Route {
  readonly prefix: string;
  readonly origin: string;
}

/** Routes of many resources. */
export interface LoadedRoutes {
  /** Each route once. */
  readonly routes: readonly Route[];
  /** For each resource the positions of its routes. */
  readonly positions: readonly (readonly number[])[];
}

/** Maximum routes of one prefix for a resource; the holder of a prefix may register it with any number of origins. */
const maxRoutes = 10;

/**
 * Loads the routes of the longest registered prefix that contains each of up to 1,000 resources of a source, in one
 * call. Texts that are not addresses have none.
 */
export async function loadRoutes(
  objects: ObjectsClient,
  source: string,
  resources: readonly string[],
  call: CallOptions,
): Promise<LoadedRoutes> {
  const found = await objects.batchFindEnclosing(
    {
      source,
      resources: [...resources],
      types: ['route', 'route6'],
      scope: EnclosingScope.ENCLOSING_SCOPE_NEAREST,
      view: View.VIEW_FILTERED,
      shareObjects: true,
      excerpt: { attributes: [], related: RelatedObjects.RELATED_OBJECTS_UNSPECIFIED },
      maxObjects: maxRoutes,
    },
    call,
  );
  return { routes: found.objects.map(({ key }) => readKey(key)), positions: found.answers.map((one) => one.positions) };
}

/** The prefix is followed by the origin: "192.0.2.0/24AS64500". */
function readKey(key: string): Route {
  const [, prefix = '', origin = ''] = /^(.*)(AS\d+)$/i.exec(key) ?? [];
  return { prefix, origin };
}
