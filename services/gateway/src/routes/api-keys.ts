import type { ApiKey } from '@cadastre/proto/auth';
import { CredentialKind } from '@cadastre/proto/registry';
import { readApiKeyWish } from '../body/api-key-wish.js';
import type { Context } from '../context.js';
import { challenge, Refusal } from '../errors.js';
import type { Exchange } from '../exchange.js';
import type { TargetOf } from '../locator.js';
import { messages } from '../messages.js';
import { jsonContent } from '../openapi/content.js';
import type { Answer } from '../respond.js';
import { jsonAnswer } from './json-answer.js';
import type { Route } from './route.js';

/** GET of the caller's keys. */
export const apiKeyList: Route<'api-keys'> = {
  id: 'listApiKeys',
  tag: 'Account',
  summary: 'List my API keys',
  doc: "The keys of the caller's account. A key that is limited to a mntner may not ask.",
  query: {},
  success: { doc: 'The keys.', content: jsonContent('ApiKeyList') },
  credentials: 'required',
  answer: listApiKeys,
};

/** POST of a wish for a key. */
export const apiKeyCreation: Route<'api-keys'> = {
  id: 'createApiKey',
  tag: 'Account',
  summary: 'Make an API key',
  doc: 'The credential is in this answer and nowhere else. A key may be limited to a mntner.',
  query: {},
  body: { doc: 'What key is wanted.', content: jsonContent('ApiKeyWish') },
  success: { doc: 'The key and its credential.', content: jsonContent('NewApiKey') },
  credentials: 'required',
  answer: createApiKey,
};

/** DELETE of one of the caller's keys, which revokes it. */
export const apiKeyRevocation: Route<'api-key'> = {
  id: 'revokeApiKey',
  tag: 'Account',
  summary: 'Revoke an API key',
  doc: 'The key is no longer accepted; others are not affected. A key of somebody else does not exist.',
  query: {},
  success: { doc: 'The key, revoked.', content: jsonContent('RevokedApiKey') },
  refusals: { 404: 'The caller has no such key.' },
  credentials: 'required',
  answer: revokeApiKey,
};

/** Newest first, revoked and expired ones included. */
async function listApiKeys(context: Context, exchange: Exchange<TargetOf<'api-keys'>>): Promise<Answer> {
  const accountName = accountOf(exchange);
  const { apiKeys } = await context.apiKeys.listApiKeys({ accountName }, callOptions(context, exchange));
  return jsonAnswer({ 'api-keys': apiKeys.map(shownKey) });
}

async function createApiKey(context: Context, exchange: Exchange<TargetOf<'api-keys'>>): Promise<Answer> {
  const accountName = accountOf(exchange);
  const wish = await readApiKeyWish(exchange.request.raw);
  const { apiKey, credential } = await context.apiKeys.createApiKey(
    { accountName, ...wish, createAccount: false },
    callOptions(context, exchange),
  );
  return jsonAnswer({ 'api-key': shown(apiKey), credential });
}

/** A key of somebody else does not exist (404). */
async function revokeApiKey(context: Context, exchange: Exchange<TargetOf<'api-key'>>): Promise<Answer> {
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
