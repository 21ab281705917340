import { createClient, messagesOf, messageText, type RegistryClient } from '@cadastre/client';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { restClient } from '../harness/rest.js';
import { attributesOf } from '../harness/whois.js';

const system = inject('sharedSystem');
let rest: ReturnType<typeof restClient>;
let anybody: RegistryClient;
let alice: RegistryClient;

const set = (descr: string) =>
  `as-set: AS-CLIENT\ndescr: ${descr}\ntech-c: EN1-TEST\nadmin-c: AE1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n`;
const body = (descr: string) => ({ objects: { object: [{ attributes: { attribute: attributesOf(set(descr)) } }] } });
const collection = { source: 'TEST', objectType: 'as-set' } as const;
const object = { ...collection, key: 'AS-CLIENT' };

/** Node's fetch does not trust the system's certificate; this sends the client's requests unchanged. */
async function throughRest(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const sent = Buffer.from(await request.arrayBuffer());
  const answer = await rest(`${pathname}${search}`, {
    method: request.method,
    headers: Object.fromEntries(request.headers),
    ...(sent.length === 0 ? {} : { body: sent }),
  });
  const headers = Object.entries(answer.headers).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  );
  return new Response(answer.text, { status: answer.status, headers });
}

beforeAll(async () => {
  rest = restClient(system);
  const options = { baseUrl: system.https, fetch: throughRest };
  anybody = createClient(options);
  alice = createClient({ ...options, apiKey: system.credential });
});

afterAll(async () => {
  rest?.close();
});

it('writes, reads, finds and deletes', async () => {
  const created = await alice.POST('/{source}/{objectType}', { params: { path: collection }, body: body('first') });
  expect(created.data?.objects.object[0]?.['primary-key'].attribute).toEqual([{ name: 'as-set', value: 'AS-CLIENT' }]);
  await alice.PUT('/{source}/{objectType}/{key}', { params: { path: object }, body: body('second') });
  const read = await anybody.GET('/{source}/{objectType}/{key}', { params: { path: object } });
  expect(read.data?.objects.object[0]?.attributes.attribute[1]).toEqual({ name: 'descr', value: 'second' });
  const serial = (
    await alice.PUT('/{source}/{objectType}/{key}', { params: { path: object }, body: body('third') })
  ).response.headers.get('cadastre-serial');
  const found = await anybody.GET('/search', {
    params: {
      query: { 'query-string': 'AS-CLIENT', 'type-filter': ['as-set', 'aut-num'], flags: ['no-referenced'] },
      header: { 'CADASTRE-Serial': serial ?? '' },
    },
  });
  expect(found.data?.objects.object.map(({ type }) => type)).toEqual(['as-set']);
  const versions = await anybody.GET('/{source}/{objectType}/{key}/versions', { params: { path: object } });
  expect(versions.data?.versions.version.map(({ revision }) => revision)).toEqual([1, 2, 3]);
  const tried = await alice.DELETE('/{source}/{objectType}/{key}', {
    params: { path: object, query: { 'dry-run': true, reason: 'a test' } },
  });
  expect(messagesOf(tried.data).map(messageText)).toContainEqual(expect.stringMatching(/dry-run/i));
  const deleted = await alice.DELETE('/{source}/{objectType}/{key}', { params: { path: object } });
  expect(deleted.response.status).toBe(200);
});

it('overwrites nothing that others changed, and repeats a creation', async () => {
  const key = crypto.randomUUID();
  const create = () =>
    alice.POST('/{source}/{objectType}', {
      params: { path: collection, header: { 'Idempotency-Key': key } },
      body: body('first'),
    });
  const [first, again] = [await create(), await create()];
  expect([first.response.status, again.response.status]).toEqual([200, 200]);
  expect(again.response.headers.get('idempotent-replayed')).toBe('true');
  const read = await anybody.GET('/{source}/{objectType}/{key}', { params: { path: object } });
  const header = { 'If-Match': read.response.headers.get('etag') ?? '' };
  const write = (descr: string) =>
    alice.PUT('/{source}/{objectType}/{key}', { params: { path: object, header }, body: body(descr) });
  expect((await write('second')).response.status).toBe(200);
  const refused = await write('third');
  expect([refused.response.status, messagesOf(refused.error).length]).toEqual([412, 1]);
  const stored = await alice.DELETE('/{source}/{objectType}/{key}', { params: { path: object, header } });
  expect(stored.response.status).toBe(412);
  await alice.DELETE('/{source}/{objectType}/{key}', { params: { path: object } });
});

it('encodes keys with blanks and slashes', async () => {
  const keys = [
    { objectType: 'inetnum', key: '192.0.2.0 - 192.0.2.255' },
    { objectType: 'route', key: '192.0.2.0/24AS64500' },
  ] as const;
  for (const key of keys) {
    const { data } = await anybody.GET('/{source}/{objectType}/{key}', {
      params: { path: { source: 'TEST', ...key } },
    });
    expect(data?.objects.object[0]?.type).toBe(key.objectType);
  }
});

it('explains a refusal', async () => {
  const path = { source: 'NOWHERE', objectType: 'person', key: 'XX1-TEST' } as const;
  const { data, error, response } = await anybody.GET('/{source}/{objectType}/{key}', { params: { path } });
  expect([data, response.status]).toEqual([undefined, 400]);
  expect(messagesOf(error).map(messageText)).toEqual(["Invalid source 'NOWHERE'"]);
});

it('sends and accepts text where there is no other format', async () => {
  const answer = await alice.POST('/syncupdates/{source}', {
    params: { path: { source: 'TEST' }, query: { 'dry-run': true } },
    headers: { 'content-type': 'text/plain' },
    body: set('as text') as never,
    bodySerializer: (text) => text,
    parseAs: 'text',
  });
  expect(answer.data).toMatch(/Create SUCCEEDED: \[as-set\] AS-CLIENT/);
});

it('reads RDAP', async () => {
  const found = await anybody.GET('/rdap/ip/{range}', { params: { path: { range: '192.0.2.0/24' } } });
  expect([found.data?.handle, found.data?.entities?.[0]?.roles]).toEqual([
    '192.0.2.0 - 192.0.2.255',
    ['administrative'],
  ]);
  const missing = await anybody.GET('/rdap/autnum/{number}', { params: { path: { number: '64511' } } });
  expect([missing.response.status, missing.error?.description]).toEqual([404, ['AS64511 is not registered here']]);
});
