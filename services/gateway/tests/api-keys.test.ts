import {
  AuthenticationOutcome,
  type CreateApiKeyRequest,
  type ListApiKeysRequest,
  type RevokeApiKeyRequest,
} from '@cadastre/proto/auth';
import { CredentialKind, type Principal } from '@cadastre/proto/registry';
import { failureMessage, ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningGateway, type SendOptions, startGateway } from './gateway.fixture.js';

const key = {
  id: 'A'.repeat(24),
  name: 'work',
  accountName: 'alice@example.net',
  created: new Date('2026-01-01T00:00:00Z'),
  expires: new Date('2026-06-01T00:00:00Z'),
  revoked: undefined,
  lastUsed: undefined,
  maintainer: '',
};
const shown = { id: key.id, name: 'work', created: '2026-01-01T00:00:00.000Z', expires: '2026-06-01T00:00:00.000Z' };
const alice: Principal = {
  credentials: [CredentialKind.CREDENTIAL_KIND_SESSION],
  accountId: '1',
  accountName: 'alice@example.net',
  apiKeyId: '',
  maintainers: [],
  keyFingerprints: [],
};

let principal: Principal;
let requested: { list?: ListApiKeysRequest; create?: CreateApiKeyRequest; revoke?: RevokeApiKeyRequest };
let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await startGateway({
    auth: {
      authenticate: async () => ({
        outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED,
        principal,
        messages: [],
      }),
    },
    apiKeys: {
      listApiKeys: async (list) => {
        requested.list = list;
        return { apiKeys: [key] };
      },
      createApiKey: async (create) => {
        requested.create = create;
        if (create.name === '') throw new ServiceError('invalid', [failureMessage('A name is needed')]);
        return { apiKey: key, credential: 'c2VjcmV0' };
      },
      revokeApiKey: async (revoke) => {
        requested.revoke = revoke;
        if (revoke.id !== key.id) throw new ServiceError('not-found', [failureMessage('There is no such key')]);
        return { apiKey: { ...key, revoked: new Date('2026-02-01T00:00:00Z'), maintainer: 'A-MNT' } };
      },
    },
  });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  requested = {};
  principal = alice;
});

const headers = { authorization: 'Basic good', 'content-type': 'application/json' };
const post = (body: string, more: SendOptions = {}) =>
  gateway.send('/api-keys', { method: 'POST', headers, body, ...more });

describe('the keys of the caller', () => {
  it('are listed, and not to be cached', async () => {
    const received = await gateway.send('/api-keys', { headers });
    expect([received.status, received.headers['content-type']]).toEqual([200, 'application/json']);
    expect(JSON.parse(received.text)).toEqual({ 'api-keys': [shown] });
    expect(received.headers['cache-control']).toContain('no-store');
    expect(requested.list).toEqual({ accountId: '1', accountName: 'alice@example.net' });
  });

  it('are made with name, end and maintainer; the credential is shown', async () => {
    const received = await post('{"name":"work","expires":"2026-06-01T02:00:00+02:00","maintainer":"A-MNT"}');
    expect([received.status, JSON.parse(received.text)]).toEqual([200, { 'api-key': shown, credential: 'c2VjcmV0' }]);
    expect(requested.create).toEqual({
      accountId: '1',
      accountName: 'alice@example.net',
      name: 'work',
      expires: key.expires,
      maintainer: 'A-MNT',
      createAccount: false,
    });
  });

  it('are revoked, in the name of the account', async () => {
    const received = await gateway.send(`/api-keys/${key.id}`, { method: 'DELETE', headers });
    const revoked = { ...shown, revoked: '2026-02-01T00:00:00.000Z', maintainer: 'A-MNT' };
    expect([received.status, JSON.parse(received.text)]).toEqual([200, { 'api-key': revoked }]);
    expect(requested.revoke).toEqual({ id: key.id, accountId: '1', accountName: 'alice@example.net' });
  });

  it('one that the account does not have is not found', async () => {
    expect((await gateway.send('/api-keys/other', { method: 'DELETE', headers })).status).toBe(404);
  });
});

describe('authority to manage keys', () => {
  const {
    CREDENTIAL_KIND_API_KEY: apiKey,
    CREDENTIAL_KIND_SESSION: session,
    CREDENTIAL_KIND_BEARER_TOKEN: token,
    CREDENTIAL_KIND_CLIENT_CERTIFICATE: certificate,
  } = CredentialKind;

  it.each<[string, Partial<Principal>, { list: number; create: number; revoke: number }]>([
    ['a session', { credentials: [session] }, { list: 200, create: 200, revoke: 200 }],
    ['an API key', { credentials: [apiKey] }, { list: 200, create: 403, revoke: 200 }],
    ['an API key and a certificate', { credentials: [apiKey, certificate] }, { list: 200, create: 403, revoke: 200 }],
    ['an API key and a session', { credentials: [apiKey, session] }, { list: 200, create: 200, revoke: 200 }],
    ['a bearer token', { credentials: [token] }, { list: 401, create: 403, revoke: 401 }],
    [
      'a client certificate',
      { credentials: [certificate], accountId: '', accountName: '' },
      { list: 401, create: 403, revoke: 401 },
    ],
    [
      'a key that is limited to a maintainer',
      { credentials: [apiKey], maintainers: ['A-MNT'] },
      { list: 403, create: 403, revoke: 403 },
    ],
    [
      'a session and a key that is limited to a maintainer',
      { credentials: [apiKey, session], maintainers: ['A-MNT'] },
      { list: 403, create: 403, revoke: 403 },
    ],
  ])('%s', async (_, change, { list, create, revoke }) => {
    principal = { ...alice, ...change };
    expect((await gateway.send('/api-keys', { headers })).status).toBe(list);
    expect((await post('{"name":"work"}')).status).toBe(create);
    expect((await gateway.send(`/api-keys/${key.id}`, { method: 'DELETE', headers })).status).toBe(revoke);
    expect('create' in requested).toBe(create === 200);
  });

  it('a key that creates a key gets a message about who may', async () => {
    principal = { ...alice, credentials: [apiKey] };
    expect(JSON.parse((await post('{"name":"work"}')).text).errormessages.errormessage[0].text).toBe(
      'Only a session can create an API key: sign in first',
    );
  });

  it('anonymous: 401', async () => {
    expect((await gateway.send('/api-keys')).status).toBe(401);
  });

  it('anonymous over HTTP: 426, reads too', async () => {
    expect((await gateway.send('/api-keys', { secure: false })).status).toBe(426);
  });
});

it.each<[string, string, SendOptions, number]>([
  ['no JSON', '{', {}, 400],
  ['a list', '[]', {}, 400],
  ['null', 'null', {}, 400],
  ['a name that is no text', '{"name":7}', {}, 400],
  ['an unknown member', '{"name":"a","__proto__":1}', {}, 400],
  ['a mistyped member', '{"name":"a","expire":"2026-06-01"}', {}, 400],
  ['an end that is no instant', '{"name":"a","expires":"tomorrow"}', {}, 400],
  ['an end without offset', '{"name":"a","expires":"2026-06-01T00:00:00"}', {}, 400],
  ['an impossible end', '{"name":"a","expires":"2026-13-01"}', {}, 400],
  ['what the auth service refuses', '{"name":""}', {}, 400],
  ['too much', JSON.stringify({ name: 'a'.repeat(5000) }), {}, 413],
  ['XML', '<a/>', { headers: { ...headers, 'content-type': 'application/xml' } }, 415],
  ['a form', 'name=a', { headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' } }, 415],
  ['a request for XML', '{"name":"a"}', { headers: { ...headers, accept: 'application/xml' } }, 415],
])('%s is refused', async (_, body, more, status) => {
  expect((await post(body, more)).status).toBe(status);
});

it.each([
  ['/api-keys', 'PUT', 'GET, HEAD, POST, OPTIONS'],
  [`/api-keys/${key.id}`, 'GET', 'DELETE, OPTIONS'],
])('%s has no %s', async (path, method, allow) => {
  expect(await gateway.send(path, { method, headers })).toMatchObject({ status: 405, headers: { allow } });
});
