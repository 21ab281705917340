import { AbuseContactServiceService, GeolocationServiceService } from '@cadastre/proto/geo';
import { type Implementation, implement, ServiceError } from '@cadastre/service';

function noLocationsYet(): never {
  throw new ServiceError('unimplemented', 'Geolocation is not available yet');
}

function noContactsYet(): never {
  throw new ServiceError('unimplemented', 'Abuse contacts are not available yet');
}

/** All methods of this service. */
export function implementations(): Implementation[] {
  return [
    implement(GeolocationServiceService, { locate: noLocationsYet, locateMany: noLocationsYet }),
    implement(AbuseContactServiceService, {
      findAbuseContact: noContactsYet,
      findAbuseContacts: noContactsYet,
      describeHolders: noContactsYet,
    }),
  ];
}

/** Who may call, by common name, besides the operator's own systems. */
export function allowedCallers(operators: string[]): Record<string, string[]> {
  return {
    'cadastre.geo.v1.GeolocationService': ['gateway', ...operators],
    'cadastre.geo.v1.AbuseContactService': ['gateway', 'search', ...operators],
  };
}
