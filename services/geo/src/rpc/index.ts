import { AbuseContactServiceService, GeolocationServiceService } from '@cadastre/proto/geo';
import { type AllowedCallers, type Implementation, implement } from '@cadastre/service';
import type { Context } from '../context.js';
import { abuseContactHandlers, geolocationHandlers } from './handlers.js';

/** All methods of this service. */
export function implementations(context: Context): Implementation[] {
  return [
    implement(GeolocationServiceService, geolocationHandlers(context)),
    implement(AbuseContactServiceService, abuseContactHandlers(context)),
  ];
}

/** What each of our services calls here; the rest is for the operator's own systems. */
export const allowedCallers: AllowedCallers = {
  [GeolocationServiceService.locate.path]: ['gateway'],
  [AbuseContactServiceService.findAbuseContact.path]: ['gateway'],
  [AbuseContactServiceService.describeHolders.path]: ['search'],
};
