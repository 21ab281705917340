import type { GeolocationServiceService } from '@cadastre/proto/geo';
import type { Handlers } from '@cadastre/service';
import type { Context } from '../context.js';
import { inBatches } from './in-batches.js';
import { locationsFor } from './locations-for.js';

export function locateMany(context: Context): Handlers<typeof GeolocationServiceService>['locateMany'] {
  return (requests, call) =>
    inBatches(requests, async (batch) => {
      const resources = batch.map(({ resource }) => resource);
      const found = await locationsFor(context, resources, call);
      return resources.map((resource, position) => ({ resource, location: found[position]?.location }));
    });
}
