import { readFile } from 'node:fs/promises';
import { keepSecret } from '@cadastre/service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cadastre } from './harness/cadastre.js';
import { descendants } from './harness/processes.js';
import { type RequestOptions, type Rest, restClient } from './harness/rest.js';
import { apart, freshDirectory, type RunningSystem, runSystem } from './harness/run-system.js';
import { openSession } from './harness/sign-in.js';

interface ShownKey {
  id: string;
  name: string;
  maintainer?: string;
  revoked?: string;
}

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };
let bob: string;
/** The request options of the web interface of alice@example.net. */
let signedIn: RequestOptions;

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory, apart('identity-provider'));
  rest = restClient(system);
  const made = await cadastre(system, ['api-key', 'create', '--user', 'bob@example.net', '--name', 'tests']);
  bob = made.stdout.trim();
  signedIn = await openSession(rest, system, 'alice@example.net');
});

afterAll(async () => {
  rest?.close();
  await system?.stop();
  await data.remove();
});

const create = (wish: object, more: RequestOptions = {}) =>
  rest('/api-keys', {
    method: 'POST',
    contentType: 'application/json',
    body: JSON.stringify(wish),
    ...signedIn,
    ...more,
  });
const keysOf = async (credential: string): Promise<ShownKey[]> =>
  JSON.parse((await rest('/api-keys', { credential })).text)['api-keys'];
const accepts = async (credential: string) => (await rest('/TEST/mntner/EXAMPLE-MNT', { credential })).status === 200;

test('the owner of a key creates, uses, lists and revokes it', async () => {
  const made = await create({ name: 'from REST' });
  expect(made.status).toBe(200);
  const { 'api-key': key, credential } = JSON.parse(made.text) as { 'api-key': ShownKey; credential: string };
  expect(Buffer.from(credential, 'base64').toString()).toMatch(new RegExp(`^${key.id}:.+`));
  expect(await accepts(credential)).toBe(true);
  const listed = await rest('/api-keys', { credential });
  expect(JSON.parse(listed.text)['api-keys'][0]).toMatchObject({ id: key.id, name: 'from REST' });
  expect(listed.text).not.toContain(Buffer.from(credential, 'base64').toString().split(':')[1]);
  const revoked = await rest(`/api-keys/${key.id}`, { method: 'DELETE', credential: system.credential });
  expect(JSON.parse(revoked.text)['api-key'].revoked).toEqual(expect.any(String));
  expect(await accepts(credential)).toBe(false);
  expect(await accepts(system.credential)).toBe(true);
});

test('no account sees or revokes the keys of another', async () => {
  const [key] = await keysOf(bob);
  expect(await keysOf(system.credential)).not.toContainEqual(expect.objectContaining({ id: key?.id }));
  expect((await rest(`/api-keys/${key?.id}`, { method: 'DELETE', credential: system.credential })).status).toBe(404);
  expect(await accepts(bob)).toBe(true);
});

test.each<[string, object]>([
  ['a key', { name: 'first' }],
  ['a limited key', { name: 'limited', maintainer: 'OTHER-MNT' }],
])('%s cannot create another, so that a stolen one has no successor', async (_, wish) => {
  const { credential } = JSON.parse((await create(wish)).text);
  const refused = await create({ name: 'successor' }, { credential, headers: {} });
  expect([refused.status, refused.text]).toEqual([
    403,
    expect.stringContaining('Only a session can create an API key'),
  ]);
  expect(await keysOf(system.credential)).not.toContainEqual(expect.objectContaining({ name: 'successor' }));
});

test('a name that passes to another account does not transfer keys', async () => {
  const name = 'carol@example.net';
  const made = await cadastre(system, ['api-key', 'create', '--user', name, '--name', 'old']);
  const old = { key: made.stdout.trim(), session: await openSession(rest, system, name) };
  await passOn(name, 'carol.before@example.net');
  const fresh = await openSession(rest, system, name);
  const listed = async (options: RequestOptions): Promise<ShownKey[]> =>
    JSON.parse((await rest('/api-keys', options)).text)['api-keys'];

  const freshKey = JSON.parse((await create({ name: 'fresh' }, fresh)).text)['api-key'] as ShownKey;
  const oldKey = JSON.parse((await create({ name: 'old, later' }, old.session)).text)['api-key'] as ShownKey;
  for (const options of [{ credential: old.key }, old.session]) {
    expect((await listed(options)).map((key) => key.name)).toEqual(['old, later', 'old']);
    expect((await rest(`/api-keys/${freshKey.id}`, { ...options, method: 'DELETE' })).status).toBe(404);
  }
  expect((await listed(fresh)).map((key) => key.name)).toEqual(['fresh']);
  expect((await rest(`/api-keys/${oldKey.id}`, { ...fresh, method: 'DELETE' })).status).toBe(404);
  const shown = await cadastre(system, ['api-key', 'list', '--user', name]);
  expect(shown.stdout).toContain(freshKey.id);
  expect(shown.stdout).not.toContain(oldKey.id);
});

/** The token for the SCIM interface of the local identity provider. */
async function scimToken(): Promise<string> {
  const provider = descendants(system.pid).find(({ command }) => command.includes('identity-provider-main'))!;
  const variables = (await readFile(`/proc/${provider.pid}/environ`, 'utf8')).split('\0');
  const file = variables.find((one) => one.startsWith('CADASTRE_IDENTITY_PROVIDER_SCIM_TOKEN_FILE='))!.split('=')[1]!;
  const token = await readFile(file, 'utf8');
  keepSecret(token);
  return token;
}

/** Gives the account of a name another name, and the name to a new account. */
async function passOn(name: string, other: string): Promise<void> {
  const login = await rest('/session/login');
  const users = `${new URL(login.headers.location!).origin}/scim/v2/Users`;
  const token = await scimToken();
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${users}${path}`, { ...init, headers: { authorization: `Bearer ${token}` } });
    expect(response.ok).toBe(true);
    return (await response.json()) as { Resources: { id: string }[] };
  };
  const found = await ask(`?filter=${encodeURIComponent(`userName eq "${name}"`)}`);
  await ask(`/${found.Resources[0]!.id}`, { method: 'PUT', body: JSON.stringify({ userName: other }) });
  await ask('', { method: 'POST', body: JSON.stringify({ userName: name }) });
}

test('a key is valid for at most one year', async () => {
  const expires = new Date(Date.now() + 400 * 86_400_000).toISOString();
  expect((await create({ name: 'too long', expires })).status).toBe(400);
});

test.each<[string, RequestOptions, number]>([
  ['nobody', { headers: {} }, 401],
  ['a wrong key', { headers: {}, credential: 'YTpi' }, 401],
  ['HTTP', { plain: true }, 426],
  ['a page of another site', { headers: { origin: 'https://evil.example' } }, 403],
])('%s cannot create a key', async (_, options, status) => {
  expect((await create({ name: 'never' }, options)).status).toBe(status);
  expect(await keysOf(system.credential)).not.toContainEqual(expect.objectContaining({ name: 'never' }));
});
