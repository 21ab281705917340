import type { Context } from '../context.js';
import { Refusal } from '../errors.js';
import type { Exchange } from '../exchange.js';
import { renderAbuseResources } from '../format/abuse-resources.js';
import type { TargetOf } from '../locator.js';
import { messages } from '../messages.js';
import { readContent } from '../openapi/content.js';
import { ref } from '../openapi/schemas/schema.js';
import type { Answer } from '../respond.js';
import type { Route } from './route.js';

/** GET of whom to write to about abuse from an address, prefix, range or AS number (decision R11). */
export const abuseContact: Route<'abuse-contact'> = {
  id: 'findAbuseContact',
  tag: 'Resources',
  summary: 'Find the abuse contact of a resource',
  doc: 'Whom to write to about abuse from an address, a range, a prefix or an AS number.',
  query: {},
  success: { doc: 'The contact.', content: readContent(ref('AbuseResources')) },
  refusals: { 404: 'The resource is not registered, or has no abuse contact.' },
  credentials: 'optional',
  answer: findAbuseContact,
};

async function findAbuseContact(context: Context, exchange: Exchange<TargetOf<'abuse-contact'>>): Promise<Answer> {
  const { request, target, format, link } = exchange;
  const { readDeadline, termsUrl: terms } = context.settings;
  const options = { deadlineMs: readDeadline, requestId: request.id };
  const { contact } = await context.abuseContacts.findAbuseContact({ resource: target.resource }, options);
  if (contact === undefined) throw new Refusal(500, messages.unexpected());
  const { found, role: key, email, suspect, orgId } = contact;
  const shown = { key, email, suspect, ...(orgId === '' ? {} : { orgId }) };
  const body = renderAbuseResources(format, { link, primaryKey: found?.key ?? '', contact: shown, terms });
  return { status: 200, content: Buffer.from(body) };
}
