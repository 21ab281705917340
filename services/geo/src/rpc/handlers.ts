import type { AbuseContactServiceService, GeolocationServiceService } from '@cadastre/proto/geo';
import type { Handlers } from '@cadastre/service';
import type { Context } from '../context.js';
import { describeHolders } from './describe-holders.js';
import { findAbuseContact } from './find-abuse-contact.js';
import { findAbuseContacts } from './find-abuse-contacts.js';
import { locate } from './locate.js';
import { locateMany } from './locate-many.js';

export function geolocationHandlers(context: Context): Handlers<typeof GeolocationServiceService> {
  return { locate: locate(context), locateMany: locateMany(context) };
}

export function abuseContactHandlers(context: Context): Handlers<typeof AbuseContactServiceService> {
  return {
    findAbuseContact: findAbuseContact(context),
    findAbuseContacts: findAbuseContacts(context),
    describeHolders: describeHolders(context),
  };
}
