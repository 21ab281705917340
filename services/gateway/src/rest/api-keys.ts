// /api-keys, /api-keys/:id

import type { ApiKey, CreateApiKeyRequest } from '@cadastre/proto/auth';
import { longCall } from '../backends/call-options.js';
import { readJsonObject, textMember } from '../body/json-object.js';
import type { SentBody } from '../body/read.js';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { jsonContent } from '../openapi/content.js';
import { jsonReply, type RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route, RouteRequest } from '../route.js';
import { accountOf, requireSession } from './caller-account.js';

/** GET of the caller's keys. */
const apiKeyList: Route = {
  id: 'listApiKeys',
  tag: 'Account',
  summary: 'List my API keys',
  doc: "Returns the keys of the caller's account. A key that is limited to a mntner may not list them.",
  query: {},
  success: { doc: 'The keys.', content: jsonContent('ApiKeyList') },
  credentials: 'required',
  handler: listApiKeys,
};

/** POST of a new key. */
const apiKeyCreation: Route = {
  id: 'createApiKey',
  tag: 'Account',
  summary: 'Create an API key',
  doc: 'Needs a session, so that a stolen key or token cannot create another key. Only this response contains the credential. A key may be limited to a mntner.',
  query: {},
  body: { doc: 'The properties of the key.', content: jsonContent('ApiKeyRequest', { name: 'laptop' }) },
  success: { doc: 'The key and its credential.', content: jsonContent('CreatedApiKey') },
  credentials: 'required',
  sessionOnly: true,
  handler: createApiKey,
};

type KeyParameters = Record<'id', string>;

/** DELETE of one of the caller's keys, which revokes it. */
const apiKeyRevocation: Route<KeyParameters> = {
  id: 'revokeApiKey',
  tag: 'Account',
  summary: 'Revoke an API key',
  doc: 'The key becomes invalid; other keys remain valid. Keys of other accounts are not found.',
  query: {},
  success: { doc: 'The revoked key.', content: jsonContent('RevokedApiKey') },
  refusals: { 404: 'The account of the caller does not have this key.' },
  credentials: 'required',
  handler: revokeApiKey,
};

const aboutAccounts = { format: 'json', isSecret: true } as const;
export const apiKeysResource: Resource = {
  name: 'api-keys',
  url: '/api-keys',
  ...aboutAccounts,
  GET: apiKeyList,
  POST: apiKeyCreation,
};
export const apiKeyResource: Resource = {
  name: 'api-key',
  url: '/api-keys/:id',
  ...aboutAccounts,
  DELETE: apiKeyRevocation,
};

/** Newest first, revoked and expired ones included. */
async function listApiKeys(context: Context, request: RouteRequest): Promise<RouteReply> {
  const { apiKeys } = await context.apiKeys.listApiKeys(accountOf(request), longCall(context, request));
  return jsonReply({ 'api-keys': apiKeys.map(shownKey) });
}

async function createApiKey(context: Context, request: RouteRequest): Promise<RouteReply> {
  requireSession(request);
  const account = accountOf(request);
  const wanted = await readApiKeyRequest(request);
  const { apiKey, credential } = await context.apiKeys.createApiKey(
    { ...account, ...wanted, createAccount: false },
    longCall(context, request),
  );
  return jsonReply({ 'api-key': shown(apiKey), credential });
}

/** 404 for a key of another account. */
async function revokeApiKey(context: Context, request: RouteRequest<KeyParameters>): Promise<RouteReply> {
  const { apiKey } = await context.apiKeys.revokeApiKey(
    { id: request.params.id, ...accountOf(request) },
    longCall(context, request),
  );
  context.identities.forgetAccount(request.principal?.accountId ?? '');
  return jsonReply({ 'api-key': shown(apiKey) });
}

function shown(apiKey: ApiKey | undefined): object {
  if (apiKey === undefined) throw new HttpError(500, messages.unexpected());
  return shownKey(apiKey);
}

function shownKey({ id, name, created, expires, revoked, lastUsed, maintainer }: ApiKey): object {
  // JSON omits members that are undefined.
  return { id, name, created, expires, revoked, 'last-used': lastUsed, maintainer: maintainer || undefined };
}

type ApiKeyRequest = Pick<CreateApiKeyRequest, 'name' | 'expires' | 'maintainer'>;

const bounds = { maxBytes: 4096, members: ['name', 'expires', 'maintainer'] };
const instant = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * Reads a request for an API key: a JSON object with "name" and, optionally, "expires" (ISO 8601: an instant with its
 * offset, or a day in UTC) and "maintainer". Throws an HttpError: 415 for the media type, 413 for the size, otherwise
 * 400.
 */
async function readApiKeyRequest(request: SentBody): Promise<ApiKeyRequest> {
  const members = await readJsonObject(request, bounds);
  return {
    name: textMember(members, 'name') ?? '',
    expires: instantOf(textMember(members, 'expires')),
    maintainer: textMember(members, 'maintainer') ?? '',
  };
}

function instantOf(value: string | undefined): Date | undefined {
  if (value === undefined) return undefined;
  const date = instant.test(value) ? new Date(value) : new Date(Number.NaN);
  if (Number.isNaN(date.getTime())) throw new HttpError(400, messages.instantExpected('expires'));
  return date;
}
