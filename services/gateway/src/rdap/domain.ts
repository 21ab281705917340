// /rdap/domain/:domain

import { relationsOf } from '@cadastre/rdap';
import { type AddressRange, formatPrefix } from '@cadastre/rpsl';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';
import type { RouteRequest } from '../route.js';
import type { Found } from './found.js';
import { requireDomain } from './keys.js';
import { elsewhere, lookupResource, redirect } from './lookup.js';
import { registryOf } from './registry.js';

/** GET of a reverse zone. */
export const domainResource = lookupResource({
  path: 'domain',
  parameter: 'domain',
  id: 'getRdapDomain',
  summary: 'Look up a reverse zone by RDAP',
  doc: 'Returns the domain object of the zone, or else of the smallest zone that contains it, and the network of its addresses. Finds no other domains than those of addresses.',
  refusals: { 301: elsewhere, 404: 'The zone does not exist.', 501: 'The domain is one of telephone numbers.' },
  schema: 'RdapDomainAnswer',
  find: findZone,
});

async function findZone(context: Context, request: RouteRequest, key: string): Promise<Found> {
  const { range } = requireDomain(key);
  const found = range && (await nearestZone(context, request, range));
  if (found === undefined) redirect(context, request, { domain: key });
  if (found === undefined) throw new HttpError(404, messages.noZone(key));
  return found;
}

/** The zone of exactly these addresses, else the smallest that contains them. Throws a ServiceError. */
export async function nearestZone(
  context: Pick<Context, 'findZones' | 'settings'>,
  request: RouteRequest,
  range: AddressRange,
): Promise<Found | undefined> {
  const [object, parent] = await context.findZones(formatPrefix(range));
  return object && { object, relations: relationsOf(registryOf(context, request).policy, object, parent) };
}
