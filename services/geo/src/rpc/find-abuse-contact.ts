import type { AbuseContactServiceService } from '@cadastre/proto/geo';
import { failureMessage, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { type ContactFor, contactsFor } from './contacts-for.js';

/** A known resource without a contact is not found either (decision R11). */
export function findAbuseContact(context: Context): Handlers<typeof AbuseContactServiceService>['findAbuseContact'] {
  return async ({ resource }, call) => {
    const [{ isResource, contact }] = (await contactsFor(context, [resource], call)) as [ContactFor];
    if (!isResource) throw new ServiceError('invalid', [failureMessage('Invalid argument: %s', [resource])]);
    if (contact === undefined) {
      throw new ServiceError('not-found', [failureMessage('No abuse contact found for %s', [resource])]);
    }
    return { contact };
  };
}
