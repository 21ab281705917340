import type { NetworkDescription, ResourceDescription, ResourceServiceService } from '@cadastre/proto/geo';
import { type Excerpt, RelatedObjects } from '@cadastre/proto/objects';
import {
  abuseContactOf,
  contactAttributes,
  type Find,
  firstValueOf,
  holderAttributes,
  isRoot,
  type Lineage,
  type Registered,
  resourceHolderOf,
  valuesOf,
} from '@cadastre/rpsl';
import type { Handlers } from '@cadastre/service';
import { loadRegisteredFor } from '../resources/lineages.js';
import type { Registry } from '../resources/references.js';
import { readResource } from '../resources/resource.js';
import { loadRoutes } from '../resources/routes.js';
import { itemFailureOf, noResource, requireBatch } from './resource-answers.js';

/** The methods of ResourceService. */
export function resourceHandlers(registry: Registry): Handlers<typeof ResourceServiceService> {
  const { objects, policy } = registry;
  const source = policy.mainSource;
  return {
    batchDescribeResources: async (request, call) => {
      const requested = requireBatch(request);
      const [{ registered, find }, { routes, positions }] = await Promise.all([
        loadRegisteredFor(registry, requested, readResource, excerpt, call),
        loadRoutes(objects, source, requested, call),
      ]);
      const { networks, positionOf } = networksIn(find, registry);
      const resources = registered.map((one, at): ResourceDescription => {
        if (one.outcome === 'no resource') return { routes: [], failure: itemFailureOf(noResource(requested[at]!)) };
        const isKnown = one.outcome === 'registered' && !isRoot(one.lineage[0].id);
        return { network: isKnown ? positionOf(one.lineage) : undefined, routes: [...positions[at]!] };
      });
      return { resources, networks, routes: [...routes] };
    },
  };
}

const excerpt: Excerpt = {
  attributes: [...contactAttributes, ...holderAttributes, 'netname', 'as-name', 'country'],
  related: RelatedObjects.RELATED_OBJECTS_ABUSE_CONTACTS,
};

/** A growing list of networks: each is described once, for all resources inside it. */
function networksIn(find: Find, registry: Registry) {
  const networks: NetworkDescription[] = [];
  const known = new Map<Registered, number>();
  const positionOf = (lineage: Lineage): number => {
    const position = known.get(lineage[0]) ?? networks.push(describe(lineage, find, registry)) - 1;
    known.set(lineage[0], position);
    return position;
  };
  return { networks, positionOf };
}

function describe(lineage: Lineage, find: Find, { policy }: Registry): NetworkDescription {
  const [{ id, object }] = lineage;
  const holder = resourceHolderOf(lineage, find, policy);
  const organisation = holder && find({ source: id.source, type: 'organisation', key: holder.key });
  const [countries = []] = [object, organisation?.object]
    .map((one) => (one ? valuesOf(one, 'country') : []))
    .filter((values) => values.length > 0);
  return {
    object: id,
    name: firstValueOf(object, object.type === 'aut-num' ? 'as-name' : 'netname') ?? '',
    countries,
    holderKey: holder?.key ?? '',
    holderName: holder?.name ?? '',
    abuseContact: abuseContactOf(lineage, find, policy),
  };
}
