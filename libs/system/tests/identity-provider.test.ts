import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Service } from '@cadastre/service';
import { reservePort } from '@cadastre/service';
import { testLogger } from '@cadastre/service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdentityProvider } from '../src/identity-provider.js';
import { obtainTokens } from './harness/sign-in.js';

const token = 'scim-token';
let directory: string;
let issuer: string;
let provider: Service;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'cadastre-idp-'));
  const port = await reservePort();
  issuer = `http://127.0.0.1:${port}`;
  await restart();
});
afterAll(async () => {
  await provider.stop();
  await rm(directory, { recursive: true });
});

async function restart(): Promise<void> {
  await provider?.stop();
  const dataFile = path.join(directory, 'data', 'identity.json');
  const port = Number(new URL(issuer).port);
  provider = createIdentityProvider({ dataFile, port, issuer, scimToken: token, logger: testLogger() });
  await provider.start();
}

interface ScimBody {
  id?: string;
  userName?: string;
  totalResults?: number;
  Resources?: { id: string; userName: string }[];
}

async function scim(query: string, init: RequestInit = {}): Promise<[number, ScimBody]> {
  const headers = { authorization: `Bearer ${token}`, connection: 'close', ...init.headers };
  const response = await fetch(`${issuer}/scim/v2/Users${query}`, { ...init, headers });
  return [response.status, (await response.json()) as ScimBody];
}
const filter = (text: string) => scim(`?filter=${encodeURIComponent(text)}`);
const create = (body: string) => scim('', { method: 'POST', body });

test('the discovery document names the issuer and code flow with PKCE', async () => {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  expect(await response.json()).toMatchObject({
    issuer,
    response_types_supported: expect.arrayContaining(['code']),
    code_challenge_methods_supported: ['S256'],
  });
});

test('alice, bob and carol are there from the start', async () => {
  const [status, body] = await scim('');
  expect(status).toBe(200);
  expect(body.Resources?.slice(0, 3).map((user) => user.userName)).toEqual([
    'alice@example.net',
    'bob@example.net',
    'carol@example.net',
  ]);
});

test('an account is found by its name in any letter case and by its subject', async () => {
  const [, byName] = await filter('userName eq "ALICE@example.net"');
  const alice = byName.Resources?.[0];
  expect(alice?.userName).toBe('alice@example.net');
  const [, byId] = await filter(`id eq "${alice?.id}"`);
  expect(byId.Resources).toEqual(byName.Resources);
});

test('an account is changed, is still found after a restart, and signs in only while it is active', async () => {
  const [, { id = '' }] = await create(JSON.stringify({ userName: 'walter@example.net' }));
  const put = (user: object) => scim(`/${id}`, { method: 'PUT', body: JSON.stringify(user) });
  expect((await put({ userName: 'alice@example.net' }))[0]).toBe(409);
  expect((await put({ userName: 'no address' }))[0]).toBe(400);
  expect(await put({ userName: 'w@example.net', active: false })).toMatchObject([200, { id, active: false }]);
  await restart();
  const [, found] = await filter(`id eq "${id}"`);
  expect(found.Resources).toMatchObject([{ id, userName: 'w@example.net', active: false }]);
  await expect(obtainTokens(issuer, 'w@example.net')).rejects.toThrow();
  await put({ userName: 'w@example.net' });
  expect((await obtainTokens(issuer, 'w@example.net')).access_token).not.toBe('');
  expect((await scim('/nobody', { method: 'PUT', body: '{}' }))[0]).toBe(404);
});

test.each(['userName eq "nobody@example.net"', 'id eq "alice@example.net"', 'id eq ""'])(
  '%s finds nothing',
  async (f) => {
    expect(await filter(f)).toMatchObject([200, { totalResults: 0, Resources: [] }]);
  },
);

test.each(['userName co "alice"', 'userName eq alice', 'userName eq "a" or id pr', 'userName eq "\\q"'])(
  'the filter %s is refused',
  async (text) => {
    expect((await filter(text))[0]).toBe(400);
  },
);

test.each(['', 'not json', '{}', 'null', '{"userName":"no address"}', '{"userName":7}'])(
  'the account %j is refused',
  async (body) => {
    expect((await create(body))[0]).toBe(400);
  },
);

test('without the token every request is refused', async () => {
  const headers = { authorization: 'Bearer wrong' };
  expect((await scim('', { headers }))[0]).toBe(401);
  expect((await scim('', { method: 'POST', body: '{"userName":"eve@example.net"}', headers }))[0]).toBe(401);
  expect((await filter('userName eq "eve@example.net"'))[1].totalResults).toBe(0);
});

test('a new account survives a restart, and its name is taken', async () => {
  const [status, dave] = await create('{"userName":"dave@example.net"}');
  expect(status).toBe(201);
  expect((await create('{"userName":"Dave@example.net"}'))[0]).toBe(409);
  await restart();
  const [, found] = await filter('userName eq "dave@example.net"');
  expect(found.Resources?.map((user) => user.id)).toEqual([dave.id]);
});

test('only the owner may read the file', async () => {
  const { mode } = await stat(path.join(directory, 'data', 'identity.json'));
  expect(mode & 0o777).toBe(0o600);
});

test('the web application signs alice in and gets her subject', async () => {
  const tokens = await obtainTokens(issuer, 'alice@example.net');
  const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1]!, 'base64url').toString());
  const [, alice] = await filter('userName eq "alice@example.net"');
  expect(claims).toMatchObject({ sub: alice.Resources?.[0]?.id, email: 'alice@example.net', iss: issuer });
});
