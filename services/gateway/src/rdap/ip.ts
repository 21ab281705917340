// /rdap/ip/:range

import type { RegistryObject } from '@cadastre/proto/registry';
import { defaultPolicy, isAdministrative, relationsOf } from '@cadastre/rdap';
import { type AddressRange, firstValueOf, formatPrefix, formatRange, isRoot, parseObject } from '@cadastre/rpsl';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';
import type { RouteRequest } from '../route.js';
import type { Found } from './found.js';
import { requireNetwork } from './keys.js';
import { elsewhere, lookupResource, redirect } from './lookup.js';
import { registryOf } from './registry.js';

/** GET of a network. */
export const ipResource = lookupResource({
  path: 'ip',
  parameter: 'range',
  id: 'getRdapIp',
  summary: 'Look up a network by RDAP',
  doc: 'Returns the network with exactly these addresses, or else the smallest one that contains them: of an address, a prefix, or a range such as `192.0.2.0 - 192.0.2.99`. Bits behind a prefix are ignored. The contacts of a network have no e-mail addresses. Each person among them counts once a day as one that the client has seen; beyond the limit, persons are only a handle and a link.',
  refusals: { 301: elsewhere, 404: 'No network contains the addresses.' },
  schema: 'RdapIpNetworkAnswer',
  find: findNetwork,
});

async function findNetwork(context: Context, request: RouteRequest, key: string): Promise<Found> {
  const range = requireNetwork(key);
  const found = await nearestNetwork(context, request, range);
  const isExact = found !== undefined && formatRange(range) === found.object.key;
  const mayMove =
    context.settings.rdapRedirectsDirectory !== undefined && !isExact && (!found || isShared(found.object));
  if (mayMove) redirect(context, request, range);
  if (found === undefined) throw new HttpError(404, messages.noNetwork(key));
  return { ...found, mayMove };
}

/** The network with exactly these addresses, else the smallest that contains them. Throws a ServiceError. */
export async function nearestNetwork(
  context: Pick<Context, 'findNetworks' | 'settings'>,
  request: RouteRequest,
  range: AddressRange,
): Promise<Found | undefined> {
  const [object, parent = null] = await context.findNetworks(formatPrefix(range));
  return object && { object, parent, relations: relationsOf(registryOf(context, request).policy, object, parent) };
}

/** Whether a network also has addresses of other registries: a root, and networks that only divide the space. */
function isShared(object: RegistryObject): boolean {
  if (isRoot(object)) return true;
  const parsed = parseObject(object.text);
  const status = parsed.ok ? firstValueOf(parsed.object, 'status') : undefined;
  return parsed.ok && isAdministrative(defaultPolicy, { type: parsed.object.type, status: status ?? '' });
}
