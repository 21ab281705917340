import type { RegistryObject } from '@cadastre/proto/registry';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exampleAuth, exampleReader, mntner, type RunningGateway, startGateway } from './gateway.fixture.js';

let gateway: RunningGateway;
let version: RegistryObject = mntner;
const path = '/TEST/mntner/EXAMPLE-MNT';

beforeAll(async () => {
  gateway = await startGateway({
    auth: exampleAuth,
    reader: { ...exampleReader, getVersion: async () => ({ object: version, current: true }) },
  });
});
afterAll(() => gateway.stop());

const tagOf = async (url: string, headers = {}) => String((await gateway.send(url, { headers })).headers.etag);

it.each([
  path,
  `${path}.json`,
  `${path}.txt`,
  '/metadata/sources',
  '/metadata/templates/person.txt',
  `${path}/versions/1`,
])('%s: who has it already gets 304 without a body', async (url) => {
  const tag = await tagOf(url);
  for (const method of ['GET', 'HEAD']) {
    const again = await gateway.send(url, { method, headers: { 'if-none-match': `"x", W/${tag}` } });
    expect(again).toMatchObject({
      status: 304,
      text: '',
      headers: { etag: tag, vary: 'Accept, Accept-Datetime, Accept-Encoding' },
    });
    expect(again.headers).not.toHaveProperty('content-type');
    expect((await gateway.send(url, { method, headers: { 'if-none-match': '"x"' } })).status).toBe(200);
  }
});

it('every representation has a tag of its own, HEAD that of GET', async () => {
  const json = { accept: 'application/json' };
  const authorization = 'Basic good';
  const tags = await Promise.all([
    tagOf(path),
    tagOf(path, json),
    tagOf(`${path}.txt`),
    tagOf(`${path}?unfiltered`),
    tagOf(`${path}?unfiltered`, { ...json, authorization }),
  ]);
  expect(new Set(tags).size).toBe(5);
  expect((await gateway.send(path, { method: 'HEAD' })).headers.etag).toBe(tags[0]);
});

it('changed content is sent completely', async () => {
  const url = `${path}/versions/1`;
  const tag = await tagOf(url);
  version = { ...mntner, text: mntner.text.replace('EX1', 'EX2') };
  const received = await gateway.send(url, { headers: { 'if-none-match': tag } });
  expect(received).toMatchObject({ status: 200, text: expect.stringContaining('EX2-TEST') });
});

it('caches may store only public responses, and must revalidate them', async () => {
  const control = async (url: string, options = {}) => (await gateway.send(url, options)).headers['cache-control'];
  expect(await control(path)).toBe('no-cache');
  expect(await control(path, { headers: { authorization: 'Basic good' } })).toContain('no-store');
  expect(await control('/TEST/mntner/ABSENT-MNT')).toContain('no-store');
  expect(await control('/search?query-string=x')).toContain('no-store');
});

it('a refusal has no tag, and If-None-Match does not hide it', async () => {
  const received = await gateway.send('/TEST/mntner/ABSENT-MNT', { headers: { 'if-none-match': '*' } });
  expect(received.status).toBe(404);
  expect(received.headers).not.toHaveProperty('etag');
});
