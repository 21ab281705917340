import type { Context } from '../context.js';
import { challenge, Refusal } from '../errors.js';
import type { Exchange } from '../exchange.js';
import type { TargetOf } from '../locator.js';
import { messages } from '../messages.js';
import { jsonContent } from '../openapi/content.js';
import type { Answer } from '../respond.js';
import { jsonAnswer } from './json-answer.js';
import type { Route } from './route.js';

/** GET of the mntners for which the caller's account may act. */
export const ownMaintainerList: Route<'own-maintainers'> = {
  id: 'listOwnMaintainers',
  tag: 'Account',
  summary: 'List my mntners',
  doc: "The mntners for which the caller's account may act; with a key that is limited to a mntner, that one alone.",
  query: {},
  success: { doc: 'The mntners.', content: jsonContent('OwnMaintainers') },
  credentials: 'required',
  answer: listOwnMaintainers,
};

async function listOwnMaintainers(
  context: Context,
  { request, principal }: Exchange<TargetOf<'own-maintainers'>>,
): Promise<Answer> {
  if (!principal || principal.accountName === '') throw new Refusal(401, messages.accountRequired(), challenge);
  const options = { deadlineMs: context.settings.readDeadline, requestId: request.id };
  const { maintainers, incomplete } = await context.reader.listOwnMaintainers({ principal }, options);
  return jsonAnswer({ maintainers: maintainers.map(({ source, key }) => ({ source, key })), incomplete });
}
