import type { AbuseContact, AbuseContactServiceService } from '@cadastre/proto/geo';
import { type Excerpt, RelatedObjects } from '@cadastre/proto/objects';
import { abuseContactOf, contactAttributes, isRoot } from '@cadastre/rpsl';
import { type Call, type Handlers, ServiceError } from '@cadastre/service';
import { findHolders } from '../annotations/holders.js';
import { loadRegisteredFor } from '../resources/lineages.js';
import type { Reading } from '../resources/lineages-in-index.js';
import type { Registry } from '../resources/references.js';
import { readResource } from '../resources/resource.js';
import { inBatches } from './in-batches.js';
import {
  foundOf,
  itemFailureOf,
  noResource,
  notFound,
  type ResourceAnswer,
  readingOf,
  requireBatch,
  requireFound,
} from './resource-answers.js';

const maxObjects = 1000;

/** The methods of AbuseContactService. */
export function abuseContactHandlers(registry: Registry): Handlers<typeof AbuseContactServiceService> {
  return {
    findAbuseContact: async ({ resource }, call) => ({
      contact: requireFound(await contactsFor(registry, [resource], call)),
    }),
    batchFindAbuseContacts: async (request, call) => {
      const answers = await contactsFor(registry, requireBatch(request), call, readingOf(request, call));
      return { answers: answers.map((answer) => ({ contact: foundOf(answer), failure: itemFailureOf(answer) })) };
    },
    findAbuseContacts: (requests, call) =>
      inBatches(requests, async (batch) => {
        const resources = batch.map(({ resource }) => resource);
        const answers = await contactsFor(registry, resources, call);
        return resources.map((resource, position) => ({ resource, contact: foundOf(answers[position]) }));
      }),
    describeHolders: async ({ keys, abuseContacts, resourceHolders }, call) => {
      if (keys.length > maxObjects) throw new ServiceError('invalid', `At most ${maxObjects} objects in one call`);
      const question = { abuseContact: abuseContacts, resourceHolder: resourceHolders };
      const holders = await findHolders(registry, keys, question, call);
      return {
        descriptions: holders.map(({ abuseContact, resourceHolder }) => ({
          abuseContact,
          holderKey: resourceHolder?.key ?? '',
          holderName: resourceHolder?.name ?? '',
        })),
      };
    },
  };
}

const contactExcerpt: Excerpt = {
  attributes: [...contactAttributes],
  related: RelatedObjects.RELATED_OBJECTS_ABUSE_CONTACTS,
};

/**
 * Finds abuse contacts of resources, in order. Space with only a root above it is not registered. A registered resource
 * without a contact is also "not found" (decision R11).
 */
async function contactsFor(
  registry: Registry,
  requested: readonly string[],
  call: Call,
  reading?: Reading,
): Promise<ResourceAnswer<AbuseContact>[]> {
  const { policy } = registry;
  const { registered, find } = await loadRegisteredFor(
    registry,
    requested,
    readResource,
    contactExcerpt,
    call,
    reading,
  );
  return requested.map((resource, position) => {
    const one = registered[position]!;
    if (one.outcome === 'no resource') return noResource(resource);
    const isRegistered = one.outcome === 'registered' && !isRoot(one.lineage[0].id);
    const found = isRegistered ? abuseContactOf(one.lineage, find, policy) : undefined;
    return found ? { found } : notFound('No abuse contact found for %s', resource);
  });
}
