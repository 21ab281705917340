import { AbuseContactServiceService, GeolocationServiceService, ResourceServiceService } from '@cadastre/proto/geo';
import { type AllowedCallers, type Implementation, implement } from '@cadastre/service';
import type { Context } from '../context.js';
import { abuseContactHandlers } from './abuse-contacts.js';
import { geolocationHandlers } from './geolocation.js';
import { resourceHandlers } from './resources.js';

/** All methods of this service. */
export function implementations(context: Context): Implementation[] {
  return [
    implement(GeolocationServiceService, geolocationHandlers(context)),
    implement(AbuseContactServiceService, abuseContactHandlers(context)),
    implement(ResourceServiceService, resourceHandlers(context)),
  ];
}

/** Which of our services may call which method. Only the operator's own systems may call the others. */
export const allowedCallers: AllowedCallers = {
  [GeolocationServiceService.locate.path]: ['gateway'],
  [AbuseContactServiceService.findAbuseContact.path]: ['gateway'],
  [AbuseContactServiceService.batchFindAbuseContacts.path]: ['gateway'],
  [AbuseContactServiceService.describeHolders.path]: ['search'],
  [ResourceServiceService.batchDescribeResources.path]: ['gateway'],
};
