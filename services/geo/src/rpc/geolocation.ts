import type { GeolocationServiceService, Location } from '@cadastre/proto/geo';
import { type CallOptions, failureMessage, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { locationOf } from '../domain/location.js';
import { readAddresses } from '../domain/resource.js';
import { loadRegisteredFor, type RegisteredFor } from '../objects/lineages.js';
import { loadOrganisations } from '../objects/references.js';
import { inBatches } from './in-batches.js';

/** The methods of GeolocationService. */
export function geolocationHandlers(context: Context): Handlers<typeof GeolocationServiceService> {
  return {
    locate: async ({ resource }, call) => {
      const [{ outcome, location }] = (await locationsFor(context, [resource], call)) as [LocationFor];
      if (location !== undefined) return { location };
      throw notLocated(outcome, resource);
    },
    locateMany: (requests, call) =>
      inBatches(requests, async (batch) => {
        const resources = batch.map(({ resource }) => resource);
        const found = await locationsFor(context, resources, call);
        return resources.map((resource, position) => ({ resource, location: found[position]?.location }));
      }),
  };
}

interface LocationFor {
  readonly outcome: RegisteredFor['outcome'];
  readonly location: Location | undefined;
}

/** Finds locations of resources, in order. */
async function locationsFor(
  { objects, policy }: Context,
  asked: readonly string[],
  call: CallOptions,
): Promise<LocationFor[]> {
  const registered = await loadRegisteredFor(objects, policy.mainSource, asked, readAddresses, call);
  const lineages = registered.flatMap((one) => (one.outcome === 'registered' ? [one.lineage] : []));
  const find = await loadOrganisations(objects, lineages, call);
  return registered.map((one) => ({
    outcome: one.outcome,
    location: one.outcome === 'registered' ? locationOf(one.lineage, find) : undefined,
  }));
}

function notLocated(outcome: RegisteredFor['outcome'], resource: string): ServiceError {
  switch (outcome) {
    case 'no resource':
      return new ServiceError('invalid', [failureMessage('Invalid argument: %s', [resource])]);
    case 'unregistered':
      return new ServiceError('not-found', 'No inetnum/inet6num resource has been found');
    case 'registered':
      return new ServiceError('not-found', [
        failureMessage('No geolocation data was found for the given ipkey: %s', [resource]),
      ]);
  }
}
