import type {
  AbuseContact,
  AbuseContactServiceService,
  DescribeHoldersRequest,
  HolderDescription,
} from '@cadastre/proto/geo';
import { type Excerpt, RelatedObjects } from '@cadastre/proto/objects';
import {
  abuseContactOf,
  contactAttributes,
  type Find,
  holderAttributes,
  isRoot,
  type Lineage,
  resourceHolderOf,
} from '@cadastre/rpsl';
import { type CallOptions, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { readResource } from '../domain/resource.js';
import { loadLineagesOf, loadRegisteredFor } from '../objects/lineages.js';
import { inBatches } from './in-batches.js';
import {
  foundOf,
  itemFailureOf,
  noResource,
  notFound,
  type ResourceAnswer,
  requireBatch,
  requireFound,
} from './resource-answers.js';

const maxObjects = 1000;

/** The methods of AbuseContactService. */
export function abuseContactHandlers(context: Context): Handlers<typeof AbuseContactServiceService> {
  return {
    findAbuseContact: async ({ resource }, call) => ({
      contact: requireFound(await contactsFor(context, [resource], call)),
    }),
    batchFindAbuseContacts: async (request, call) => {
      const answers = await contactsFor(context, requireBatch(request), call);
      return { answers: answers.map((answer) => ({ contact: foundOf(answer), failure: itemFailureOf(answer) })) };
    },
    findAbuseContacts: (requests, call) =>
      inBatches(requests, async (batch) => {
        const resources = batch.map(({ resource }) => resource);
        const answers = await contactsFor(context, resources, call);
        return resources.map((resource, position) => ({ resource, contact: foundOf(answers[position]) }));
      }),
    describeHolders: async (request, call) => {
      const { keys } = request;
      if (keys.length > maxObjects) throw new ServiceError('invalid', `At most ${maxObjects} objects in one call`);
      const { lineages, find } = await loadLineagesOf(context.objects, keys, describedBy(request), call);
      return { descriptions: lineages.map((lineage) => describe(lineage, find, request, context)) };
    },
  };
}

const contactExcerpt: Excerpt = {
  attributes: [...contactAttributes],
  related: RelatedObjects.RELATED_OBJECTS_ABUSE_CONTACTS,
};

/** The parts of a description. */
function describedBy({ abuseContacts, resourceHolders }: DescribeHoldersRequest): Excerpt {
  const attributes = [...(abuseContacts ? contactAttributes : []), ...(resourceHolders ? holderAttributes : [])];
  const { RELATED_OBJECTS_ABUSE_CONTACTS, RELATED_OBJECTS_ORGANISATIONS } = RelatedObjects;
  return { attributes, related: abuseContacts ? RELATED_OBJECTS_ABUSE_CONTACTS : RELATED_OBJECTS_ORGANISATIONS };
}

/**
 * Finds abuse contacts of resources, in order. Space with only a root above it is not registered. A registered resource
 * without a contact is also "not found" (decision R11).
 */
async function contactsFor(
  { objects, policy }: Context,
  requested: readonly string[],
  call: CallOptions,
): Promise<ResourceAnswer<AbuseContact>[]> {
  const { mainSource } = policy;
  const { registered, find } = await loadRegisteredFor(
    objects,
    mainSource,
    requested,
    readResource,
    contactExcerpt,
    call,
  );
  return requested.map((resource, position) => {
    const one = registered[position]!;
    if (one.outcome === 'no resource') return noResource(resource);
    const isRegistered = one.outcome === 'registered' && !isRoot(one.lineage[0].id);
    const found = isRegistered ? abuseContactOf(one.lineage, find, policy) : undefined;
    return found ? { found } : notFound('No abuse contact found for %s', resource);
  });
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
