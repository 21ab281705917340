import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IdentityAccount, IdentityAccounts } from './identity-accounts.js';
import { readBody } from './request-body.js';

interface Answer {
  status: number;
  body: object;
}

/**
 * The part of SCIM 2.0 (RFC 7644) that the auth service needs, below /scim/v2: `GET /Users`, with the filters
 * `userName eq "..."` and `id eq "..."`, and `POST /Users`; for trying out changes also `PUT /Users/{id}`. Requires the
 * bearer token.
 */
export function scimHandler(accounts: IdentityAccounts, token: string) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body } = bearsToken(request, token) ? await answer(accounts, request) : failure(401, 'No access');
    response.writeHead(status, { 'content-type': 'application/scim+json' }).end(JSON.stringify(body));
  };
}

function bearsToken(request: IncomingMessage, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(request.headers.authorization ?? ''), digest(`Bearer ${token}`));
}

async function answer(accounts: IdentityAccounts, request: IncomingMessage): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const [, id] = /^\/scim\/v2\/Users(?:\/([\w-]+))?$/.exec(url.pathname) ?? [];
  const account = accounts.all().find((one) => one.id === id);
  if (account && request.method === 'PUT') return replace(accounts, account, await readBody(request));
  if (url.pathname !== '/scim/v2/Users') return failure(404, 'No such resource');
  if (request.method === 'GET') return find(accounts, url.searchParams.get('filter'));
  if (request.method === 'POST') return create(accounts, await readBody(request));
  return failure(405, 'Only GET and POST');
}

function find(accounts: IdentityAccounts, filter: string | null): Answer {
  if (filter === null) return list(accounts.all());
  const match = /^(userName|id) eq ("(?:[^"\\]|\\.)*")$/.exec(filter);
  const value = match ? parseJson(match[2]!) : undefined;
  if (typeof value !== 'string') return failure(400, 'Only the filters userName eq "..." and id eq "..."');
  const found = accounts.find(value);
  const fits = match![1] === 'id' ? found?.id === value : found?.userName.toLowerCase() === value.toLowerCase();
  return list(found && fits ? [found] : []);
}

function create(accounts: IdentityAccounts, body: string | undefined): Answer {
  if (body === undefined) return failure(413, 'Too large');
  const { userName } = readUser(body);
  if (userName === undefined) return failure(400, 'userName must be an e-mail address');
  const account = accounts.create(userName);
  return account ? { status: 201, body: toUser(account) } : failure(409, 'userName is taken');
}

function replace(accounts: IdentityAccounts, { id }: IdentityAccount, body: string | undefined): Answer {
  if (body === undefined) return failure(413, 'Too large');
  const { userName, active } = readUser(body);
  if (userName === undefined) return failure(400, 'userName must be an e-mail address');
  const account = accounts.replace({ id, userName, active });
  return account ? { status: 200, body: toUser(account) } : failure(409, 'userName is taken');
}

/** The name, if it is an e-mail address, and whether the user is active. */
function readUser(body: string): { userName: string | undefined; active: boolean } {
  const { userName, active } = (parseJson(body) ?? {}) as { userName?: unknown; active?: unknown };
  const isAddress =
    typeof userName === 'string' && userName.length <= 254 && /^[^\s\p{C}@]+@[^\s\p{C}@]+$/u.test(userName);
  return { userName: isAddress ? userName : undefined, active: active !== false };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toUser(account: IdentityAccount): object {
  return { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], active: true, ...account };
}

function list(found: IdentityAccount[]): Answer {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:ListResponse'];
  return { status: 200, body: { schemas, totalResults: found.length, Resources: found.map(toUser) } };
}

function failure(status: number, detail: string): Answer {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error'];
  return { status, body: { schemas, status: String(status), detail } };
}
