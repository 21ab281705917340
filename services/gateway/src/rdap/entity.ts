// /rdap/entity/:handle

import { entityTypes } from '@cadastre/rdap';
import type { ObjectTypeName } from '@cadastre/rpsl';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';
import type { RouteRequest } from '../route.js';
import type { Found } from './found.js';
import { requireHandle } from './keys.js';
import { elsewhere, lookUp, lookupResource, redirect } from './lookup.js';

/** GET of a contact or a holder. */
export const entityResource = lookupResource({
  path: 'entity',
  parameter: 'handle',
  id: 'getRdapEntity',
  summary: 'Look up a contact or a holder by RDAP',
  doc: 'Returns the organisation, person, role, mntner or irt with this handle, with its e-mail addresses. When several types have it, the first of person, role, mntner and irt counts, and a notice names the others. A person counts as one that the client has seen.',
  refusals: { 301: elsewhere, 404: 'No object has the handle.' },
  schema: 'RdapEntityAnswer',
  showsObjects: true,
  find: findEntity,
});

async function findEntity(context: Context, request: RouteRequest, key: string): Promise<Found> {
  const handle = requireHandle(key);
  const found = await Promise.all(entityTypes.map((type) => lookUp(context, type, handle)));
  const [object, ...others] = found.filter((one) => one !== undefined);
  if (object === undefined) redirect(context, request, { handle: key });
  if (object === undefined) throw new HttpError(404, messages.noEntity(key));
  return { object, showEmail: true, showHoldings: true, namesakes: others.map(({ type }) => type as ObjectTypeName) };
}
