// /rdap/autnum/:number

import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';
import type { RouteRequest } from '../route.js';
import type { Found } from './found.js';
import { requireAsNumber } from './keys.js';
import { elsewhere, lookUp, lookupResource, redirect } from './lookup.js';

/** GET of an AS number. */
export const autnumResource = lookupResource({
  path: 'autnum',
  parameter: 'number',
  id: 'getRdapAutnum',
  summary: 'Look up an AS number by RDAP',
  doc: 'Returns the aut-num with this number, which may have the prefix `AS`.',
  refusals: { 301: elsewhere, 404: 'The AS number has no aut-num.' },
  schema: 'RdapAutnumAnswer',
  find: findAutnum,
});

async function findAutnum(context: Context, request: RouteRequest, key: string): Promise<Found> {
  const number = requireAsNumber(key);
  const object = await lookUp(context, 'aut-num', `AS${number}`);
  if (object === undefined) redirect(context, request, { as: { first: number, last: number } });
  if (object === undefined) throw new HttpError(404, messages.noAsNumber(String(number)));
  return { object };
}
