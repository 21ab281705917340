import type {
  AbuseContact,
  AbuseContactServiceService,
  DescribeHoldersRequest,
  HolderDescription,
} from '@cadastre/proto/geo';
import { type CallOptions, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { abuseContactOf } from '../domain/abuse-contact.js';
import { type Find, isRoot, type Lineage } from '../domain/registered.js';
import { readResource } from '../domain/resource.js';
import { resourceHolderOf } from '../domain/resource-holder.js';
import { loadLineagesOf, loadRegisteredFor } from '../objects/lineages.js';
import { loadContacts, loadOrganisations } from '../objects/references.js';
import { inBatches } from './in-batches.js';
import {
  foundOf,
  noResource,
  notFound,
  outcomeOf,
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
      return { answers: answers.map((answer) => ({ ...outcomeOf(answer), contact: foundOf(answer) })) };
    },
    findAbuseContacts: (requests, call) =>
      inBatches(requests, async (batch) => {
        const resources = batch.map(({ resource }) => resource);
        const answers = await contactsFor(context, resources, call);
        return resources.map((resource, position) => ({ resource, contact: foundOf(answers[position]) }));
      }),
    describeHolders: async (request, call) => {
      const { keys, abuseContacts } = request;
      if (keys.length > maxObjects) throw new ServiceError('invalid', `At most ${maxObjects} objects in one call`);
      const lineages = await loadLineagesOf(context.objects, keys, call);
      const load = abuseContacts ? loadContacts : loadOrganisations;
      const find = await load(context.objects, existing(lineages), call);
      return { descriptions: lineages.map((lineage) => describe(lineage, find, request, context)) };
    },
  };
}

/**
 * Finds abuse contacts of resources, in order. Space with only a root above it is not registered. A registered resource
 * without a contact is also "not found" (decision R11).
 */
async function contactsFor(
  { objects, policy }: Context,
  asked: readonly string[],
  call: CallOptions,
): Promise<ResourceAnswer<AbuseContact>[]> {
  const registered = await loadRegisteredFor(objects, policy.mainSource, asked, readResource, call);
  const lineages = registered.map((one) =>
    one.outcome === 'registered' && !isRoot(one.lineage[0]) ? one.lineage : undefined,
  );
  const find = await loadContacts(objects, existing(lineages), call);
  return asked.map((resource, position) => {
    if (registered[position]!.outcome === 'no resource') return noResource(resource);
    const lineage = lineages[position];
    const found = lineage && abuseContactOf(lineage, find, policy);
    return found ? { found } : notFound('No abuse contact found for %s', resource);
  });
}

function existing(lineages: readonly (Lineage | undefined)[]): Lineage[] {
  return lineages.filter((lineage) => lineage !== undefined);
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
