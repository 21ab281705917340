import type { GeolocationServiceService } from '@cadastre/proto/geo';
import { failureMessage, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { type LocationFor, locationsFor } from './locations-for.js';

export function locate(context: Context): Handlers<typeof GeolocationServiceService>['locate'] {
  return async ({ resource }, call) => {
    const [{ outcome, location }] = (await locationsFor(context, [resource], call)) as [LocationFor];
    if (location !== undefined) return { location };
    switch (outcome) {
      case 'no resource':
        throw new ServiceError('invalid', [failureMessage('Invalid argument: %s', [resource])]);
      case 'unregistered':
        throw new ServiceError('not-found', 'No inetnum/inet6num resource has been found');
      case 'registered':
        throw new ServiceError('not-found', [
          failureMessage('No geolocation data was found for the given ipkey: %s', [resource]),
        ]);
    }
  };
}
