import { type AddressRange, formatPrefix } from '@cadastre/rpsl';
import type { Context } from '../context.js';
import type { RouteRequest } from '../route.js';
import type { Found } from './found.js';
import { registryOf } from './registry.js';
import { relationsOf } from './relation-rules.js';

type Finding = Pick<Context, 'findNetworks' | 'findZones' | 'settings'>;

/** The network with exactly these addresses, else the smallest that contains them. Throws a ServiceError. */
export async function nearestNetwork(
  context: Finding,
  request: RouteRequest,
  range: AddressRange,
): Promise<Found | undefined> {
  const [object, parent = null] = await context.findNetworks(formatPrefix(range));
  return object && { object, parent, relations: relationsOf(registryOf(context, request).policy, object, parent) };
}

/** The zone of exactly these addresses, else the smallest that contains them. Throws a ServiceError. */
export async function nearestZone(
  context: Finding,
  request: RouteRequest,
  range: AddressRange,
): Promise<Found | undefined> {
  const found = await context.findZones(formatPrefix(range));
  const [object, parent] = found.filter(({ type }) => type === 'domain');
  return object && { object, relations: relationsOf(registryOf(context, request).policy, object, parent) };
}
