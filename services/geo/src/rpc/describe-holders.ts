import type { AbuseContactServiceService, DescribeHoldersRequest, HolderDescription } from '@cadastre/proto/geo';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { abuseContactOf } from '../domain/abuse-contact.js';
import type { Find, Lineage } from '../domain/registered.js';
import { resourceHolderOf } from '../domain/resource-holder.js';
import { loadLineagesOf } from '../objects/load-lineages-of.js';
import { loadContacts, loadOrganisations } from '../objects/load-referenced.js';

const maxObjects = 1000;

export function describeHolders(context: Context): Handlers<typeof AbuseContactServiceService>['describeHolders'] {
  return async (request, call) => {
    const { keys, abuseContacts } = request;
    if (keys.length > maxObjects) throw new ServiceError('invalid', `At most ${maxObjects} objects in one call`);
    const lineages = await loadLineagesOf(context.objects, keys, call);
    const load = abuseContacts ? loadContacts : loadOrganisations;
    const find = await load(
      context.objects,
      lineages.filter((lineage) => lineage !== undefined),
      call,
    );
    return { descriptions: lineages.map((lineage) => describe(lineage, find, request, context)) };
  };
}

function describe(
  lineage: Lineage | undefined,
  find: Find,
  { abuseContacts, resourceHolders }: DescribeHoldersRequest,
  { policy }: Context,
): HolderDescription {
  const abuseContact = lineage && abuseContacts ? abuseContactOf(lineage, find, policy) : undefined;
  const holder = lineage && resourceHolders ? resourceHolderOf(lineage, find, policy) : undefined;
  return { abuseContact, holderKey: holder?.key ?? '', holderName: holder?.name ?? '' };
}
