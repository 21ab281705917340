// /abuse-contact/:resource

import { ref } from '@cadastre/rdap/schema';
import type { FastifyReply } from 'fastify';
import type { Context } from '../context.js';
import { renderAbuseResources } from '../documents/abuse-resources.js';
import { readContent } from '../openapi/content.js';
import { clientGone } from '../reply/reply-end.js';
import type { RouteReply } from '../reply/send.js';
import type { Resource, Route, RouteRequest } from '../route.js';

/** Any text, possibly no resource. */
type Parameters = Record<'resource', string>;

/** GET of the abuse contact of an address, prefix, range or AS number (decision R11). */
const abuseContact: Route<Parameters> = {
  id: 'findAbuseContact',
  tag: 'Resources',
  summary: 'Find the abuse contact of a resource',
  doc: 'Returns the contact for reports of abuse from an address, a range, a prefix or an AS number.',
  query: {},
  success: { doc: 'The contact.', content: readContent(ref('AbuseResources')) },
  refusals: { 404: 'The resource is not registered, or has no abuse contact.' },
  credentials: 'optional',
  showsObjects: true,
  handler: findAbuseContact,
};

export const abuseContactResource: Resource = {
  name: 'abuse-contact',
  url: '/abuse-contact/:resource',
  errors: 'abuse-resources',
  GET: abuseContact,
};

async function findAbuseContact(
  context: Context,
  request: RouteRequest<Parameters>,
  reply: FastifyReply,
): Promise<RouteReply> {
  const { params, format, link } = request;
  const { termsUrl: terms } = context.settings;
  const { resource } = params;
  const { found, role: key, email, suspect, orgId } = await context.findAbuseContact(resource, clientGone(reply));
  const shown = { key, email, suspect, ...(orgId === '' ? {} : { orgId }) };
  const body = renderAbuseResources(format, { link, primaryKey: found?.key ?? '', contact: shown, terms });
  return { status: 200, content: Buffer.from(body) };
}
