import type { GeolocationServiceService, Location } from '@cadastre/proto/geo';
import { type Excerpt, RelatedObjects } from '@cadastre/proto/objects';
import type { Find } from '@cadastre/rpsl';
import type { Call, Handlers } from '@cadastre/service';
import { loadRegisteredFor, type RegisteredFor } from '../resources/lineages.js';
import type { Reading } from '../resources/lineages-in-index.js';
import { locationAttributes, locationOf } from '../resources/location.js';
import type { Registry } from '../resources/references.js';
import { readAddresses } from '../resources/resource.js';
import { inBatches } from './in-batches.js';
import { foundOf, noResource, notFound, type ResourceAnswer, readingOf, requireFound } from './resource-answers.js';

/** The methods of GeolocationService. */
export function geolocationHandlers(registry: Registry): Handlers<typeof GeolocationServiceService> {
  return {
    locate: async (request, call) => ({
      location: requireFound(await locationsFor(registry, [request.resource], call, readingOf(request, call))),
    }),
    locateMany: (requests, call) =>
      inBatches(requests, async (batch) => {
        const resources = batch.map(({ resource }) => resource);
        const answers = await locationsFor(registry, resources, call);
        return resources.map((resource, position) => ({ resource, location: foundOf(answers[position]) }));
      }),
  };
}

const excerpt: Excerpt = {
  attributes: [...locationAttributes],
  related: RelatedObjects.RELATED_OBJECTS_ORGANISATIONS,
};

/** Finds locations of resources, in order. */
async function locationsFor(
  registry: Registry,
  requested: readonly string[],
  call: Call,
  reading?: Reading,
): Promise<ResourceAnswer<Location>[]> {
  const { registered, find } = await loadRegisteredFor(registry, requested, readAddresses, excerpt, call, reading);
  return requested.map((resource, position) => locationFor(resource, registered[position]!, find));
}

function locationFor(resource: string, registered: RegisteredFor, find: Find): ResourceAnswer<Location> {
  if (registered.outcome === 'no resource') return noResource(resource);
  if (registered.outcome === 'unregistered') return notFound('No inetnum/inet6num resource has been found');
  const found = locationOf(registered.lineage, find);
  return found ? { found } : notFound('No geolocation data was found for the given ipkey: %s', resource);
}
