import { AbuseContactServiceService, GeolocationServiceService } from '@cadastre/proto/geo';
import { type Implementation, implement } from '@cadastre/service';
import type { Context } from '../context.js';
import { abuseContactHandlers, geolocationHandlers } from './handlers.js';

/** All methods of this service. */
export function implementations(context: Context): Implementation[] {
  return [
    implement(GeolocationServiceService, geolocationHandlers(context)),
    implement(AbuseContactServiceService, abuseContactHandlers(context)),
  ];
}

/** Who may call, by common name, besides the operator's own systems. */
export function allowedCallers(operators: string[]): Record<string, string[]> {
  return {
    'cadastre.geo.v1.GeolocationService': ['gateway', ...operators],
    'cadastre.geo.v1.AbuseContactService': ['gateway', 'search', ...operators],
  };
}
