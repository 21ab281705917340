import { afterAll, beforeAll, expect, test } from 'vitest';
import { cadastre } from './harness/cadastre.js';
import { type RequestOptions, type Rest, restClient } from './harness/rest.js';
import { freshDirectory, type RunningSystem, runSystem } from './harness/run-system.js';

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

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory);
  rest = restClient(system);
  const made = await cadastre(system, ['api-key', 'create', '--user', 'bob@example.net', '--name', 'tests']);
  bob = made.stdout.trim();
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
    credential: system.credential,
    body: JSON.stringify(wish),
    ...more,
  });
const keysOf = async (credential: string): Promise<ShownKey[]> =>
  JSON.parse((await rest('/api-keys', { credential })).text)['api-keys'];
const accepts = async (credential: string) => (await rest('/TEST/mntner/EXAMPLE-MNT', { credential })).status === 200;

test('a key is made, used, listed and revoked by its owner', async () => {
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

test('nobody sees or revokes the keys of somebody else', async () => {
  const [key] = await keysOf(bob);
  expect(await keysOf(system.credential)).not.toContainEqual(expect.objectContaining({ id: key?.id }));
  expect((await rest(`/api-keys/${key?.id}`, { method: 'DELETE', credential: system.credential })).status).toBe(404);
  expect(await accepts(bob)).toBe(true);
});

test('a limited key makes no others', async () => {
  const { credential } = JSON.parse((await create({ name: 'limited', maintainer: 'OTHER-MNT' })).text);
  expect((await create({ name: 'more' }, { credential })).status).toBe(403);
});

test('a key lives a year at most', async () => {
  const expires = new Date(Date.now() + 400 * 86_400_000).toISOString();
  expect((await create({ name: 'too long', expires })).status).toBe(400);
});

test.each<[string, RequestOptions, number]>([
  ['nobody', { credential: undefined }, 401],
  ['a wrong key', { credential: 'YTpi' }, 401],
  ['HTTP', { plain: true }, 426],
  ['a page of another site', { headers: { origin: 'https://evil.example' } }, 403],
])('%s makes no key', async (_, options, status) => {
  expect((await create({ name: 'never' }, options)).status).toBe(status);
  expect(await keysOf(system.credential)).not.toContainEqual(expect.objectContaining({ name: 'never' }));
});
