import type { Context } from '../context.js';
import { Refusal } from '../errors.js';
import type { Exchange } from '../exchange.js';
import { renderAbuseResources } from '../format/abuse-resources.js';
import type { TargetOf } from '../locator.js';
import { messages } from '../messages.js';
import type { Answer } from '../respond.js';

/** GET of whom to write to about abuse from an address, prefix, range or AS number (decision R11). */
export async function findAbuseContact(
  context: Context,
  exchange: Exchange<TargetOf<'abuse-contact'>>,
): Promise<Answer> {
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
