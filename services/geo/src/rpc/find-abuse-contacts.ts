import type { AbuseContactServiceService } from '@cadastre/proto/geo';
import type { Handlers } from '@cadastre/service';
import type { Context } from '../context.js';
import { contactsFor } from './contacts-for.js';
import { inBatches } from './in-batches.js';

export function findAbuseContacts(context: Context): Handlers<typeof AbuseContactServiceService>['findAbuseContacts'] {
  return (requests, call) =>
    inBatches(requests, async (batch) => {
      const resources = batch.map(({ resource }) => resource);
      const found = await contactsFor(context, resources, call);
      return resources.map((resource, position) => ({ resource, contact: found[position]?.contact }));
    });
}
