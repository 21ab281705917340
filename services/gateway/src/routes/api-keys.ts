import type { ApiKey } from '@cadastre/proto/auth';
import { CredentialKind } from '@cadastre/proto/registry';
import { readApiKeyWish } from '../body/api-key-wish.js';
import type { Context } from '../context.js';
import { challenge, Refusal } from '../errors.js';
import type { Exchange } from '../exchange.js';
import type { TargetOf } from '../locator.js';
import { messages } from '../messages.js';
import type { Answer } from '../respond.js';
import { jsonAnswer } from './json-answer.js';

/** GET of the caller's keys: newest first, revoked and expired ones included. */
export async function listApiKeys(context: Context, exchange: Exchange<TargetOf<'api-keys'>>): Promise<Answer> {
  const accountName = accountOf(exchange);
  const { apiKeys } = await context.apiKeys.listApiKeys({ accountName }, callOptions(context, exchange));
  return jsonAnswer({ 'api-keys': apiKeys.map(shownKey) });
}

/** POST of a wish for a key. Its credential is in this answer and nowhere else. */
export async function createApiKey(context: Context, exchange: Exchange<TargetOf<'api-keys'>>): Promise<Answer> {
  const accountName = accountOf(exchange);
  const wish = await readApiKeyWish(exchange.request.raw);
  const { apiKey, credential } = await context.apiKeys.createApiKey(
    { accountName, ...wish, createAccount: false },
    callOptions(context, exchange),
  );
  return jsonAnswer({ 'api-key': shown(apiKey), credential });
}

/** DELETE of one of the caller's keys, which revokes it. A key of somebody else does not exist (404). */
export async function revokeApiKey(context: Context, exchange: Exchange<TargetOf<'api-key'>>): Promise<Answer> {
  const accountName = accountOf(exchange);
  const request = { id: exchange.target.id, accountName };
  const { apiKey } = await context.apiKeys.revokeApiKey(request, callOptions(context, exchange));
  return jsonAnswer({ 'api-key': shown(apiKey) });
}

/** The signed-in account. A limited key may not make others: they would have no limit. */
function accountOf({ principal }: Exchange): string {
  const { CREDENTIAL_KIND_SESSION: session, CREDENTIAL_KIND_API_KEY: apiKey } = CredentialKind;
  const isSignedIn = principal?.credentials.some((kind) => kind === session || kind === apiKey) ?? false;
  if (!principal || !isSignedIn || principal.accountName === '') {
    throw new Refusal(401, messages.accountRequired(), challenge);
  }
  if (principal.maintainers.length > 0) throw new Refusal(403, messages.limitedKey());
  return principal.accountName;
}

function callOptions({ settings }: Context, { request }: Exchange) {
  return { deadlineMs: settings.writeDeadline, requestId: request.id };
}

function shown(apiKey: ApiKey | undefined): object {
  if (apiKey === undefined) throw new Refusal(500, messages.unexpected());
  return shownKey(apiKey);
}

function shownKey({ id, name, created, expires, revoked, lastUsed, maintainer }: ApiKey): object {
  // What is undefined has no place in JSON and is left out.
  return { id, name, created, expires, revoked, 'last-used': lastUsed, maintainer: maintainer || undefined };
}
