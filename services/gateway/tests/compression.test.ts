import { once } from 'node:events';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { LookupStatus } from '@cadastre/proto/objects';
import type { SearchRequest, SearchResponse } from '@cadastre/proto/search';
import { ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleAuth, exampleReader, mntner, type RunningGateway, startGateway } from './gateway.fixture.js';

const path = '/TEST/mntner/EXAMPLE-MNT';
const large = {
  ...mntner,
  text: mntner.text.replace('source:', `${'remarks:        the same again\n'.repeat(100)}source:`),
};
const found = { object: large, related: false, managedAttributes: [], managedMaintainers: [], messages: [] };
const page: SearchResponse = { objects: [found], flags: [], messages: [], serial: 0n };
const gzip = { 'accept-encoding': 'gzip' };

let gateway: RunningGateway;
let lookups = 0;
/** The answer of the search service; tests set it. */
let search: (request: SearchRequest) => AsyncIterable<SearchResponse>;

beforeAll(async () => {
  gateway = await startGateway({
    reader: {
      ...exampleReader,
      batchLookup: async ({ lookups: requested }) => {
        lookups += requested.length;
        return {
          answers: requested.map(({ key }) => {
            const object = key?.key === 'SMALL-MNT' ? mntner : large;
            return { status: LookupStatus.LOOKUP_STATUS_FOUND, object };
          }),
        };
      },
    },
    auth: exampleAuth,
    feed: {
      async *watch(_request, { signal }) {
        yield { changes: [], serial: 7n };
        await once(signal, 'abort');
      },
    },
    search: { search: (request) => search(request) },
  });
});
afterAll(() => gateway.stop());

it.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate, zstd', undefined],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip; q=0', undefined],
  ['gzip;q=0.5, identity', undefined],
  ['gzip;q=2', undefined],
  ['*;q=0', undefined],
  [`gzip${', x'.repeat(1_000)}`, undefined],
])('for Accept-Encoding %j the coding is %s, of the same document', async (accepted, coding) => {
  const plain = await gateway.send(`${path}.json`);
  const headers: Record<string, string> = accepted === undefined ? {} : { 'accept-encoding': accepted };
  const { headers: reported, text } = await gateway.send(`${path}.json`, { headers });
  expect([reported['content-encoding'], text]).toEqual([coding, plain.text]);
  expect(reported.vary).toBe('Accept, Accept-Datetime, Accept-Encoding');
});

it.each([
  ['a lookup in any format', `${path}.txt`, {}],
  ['a lookup that is not filtered', `${path}?unfiltered`, {}],
  ['a version', `${path}/versions/1`, { status: 503 }],
  ['the description of the interface', '/openapi.json', {}],
  ['a template', '/metadata/templates/inetnum', {}],
  ['a short answer', '/TEST/mntner/SMALL-MNT.txt', { coding: undefined }],
  ['a refusal', '/TEST/nothing/EXAMPLE-MNT', { status: 400, coding: undefined }],
])('%s', async (_what, url, { status = 200, ...more }: { status?: number; coding?: undefined }) => {
  const received = await gateway.send(url, { headers: gzip });
  const coding = 'coding' in more || status !== 200 ? undefined : 'gzip';
  expect([received.status, received.headers['content-encoding']]).toEqual([status, coding]);
});

it.each([
  ['an answer to credentials', path, { authorization: 'Basic good' }],
  ['an answer to a cookie', path, { cookie: 'a=b' }],
  ['the keys of an account', '/api-keys', { authorization: 'Basic good' }],
  ['a session', '/session', {}],
])('%s is never compressed: it may combine a secret with text from an attacker', async (_what, url, headers) => {
  const received = await gateway.send(url, { headers: { ...gzip, ...headers } });
  expect(received.headers).not.toHaveProperty('content-encoding');
});

describe('conditional requests', () => {
  it.each(['gzip', 'br'])('the tag of a compressed document is the same, but weak, with %s', async (coding) => {
    const strong = String((await gateway.send(path)).headers.etag);
    const headers = { 'accept-encoding': coding };
    expect((await gateway.send(path, { headers })).headers.etag).toBe(`W/${strong}`);
    for (const tag of [strong, `W/${strong}`]) {
      const again = await gateway.send(path, { headers: { ...headers, 'if-none-match': tag } });
      expect(again).toMatchObject({ status: 304, text: '', headers: { etag: `W/${strong}` } });
      expect(again.headers).not.toHaveProperty('content-encoding');
      expect((await gateway.send(path, { headers: { 'if-none-match': tag } })).status).toBe(304);
    }
  });

  it('HEAD has the headers of GET', async () => {
    for (const url of [path, '/openapi.json', '/search?query-string=x']) {
      search = async function* () {
        yield page;
      };
      const get = await gateway.send(url, { headers: gzip });
      const head = await gateway.send(url, { headers: gzip, method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
      for (const name of ['content-encoding', 'content-type', 'etag', 'vary']) {
        expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
      }
      expect(head.headers['content-length'] ?? get.headers['content-length']).toBe(get.headers['content-length']);
    }
  });
});

it('lookups are cached compressed, separately for each coding', async () => {
  const requested = async (accepted: string) => {
    const before = lookups;
    const { headers, text } = await gateway.send(`${path}?a`, { headers: { 'accept-encoding': accepted } });
    return { requested: lookups - before, coding: headers['content-encoding'], text };
  };
  await expect.poll(async () => [await requested('gzip'), await requested('gzip')][1]?.requested).toBe(0);
  const { text } = await requested('identity');
  for (const coding of ['br', 'gzip', 'br', 'gzip']) expect(await requested(coding)).toMatchObject({ coding, text });
  expect(
    [await requested('br'), await requested('gzip'), await requested('identity')].map((one) => one.requested),
  ).toEqual([0, 0, 0]);
});

describe('searches', () => {
  it.each([
    ['gzip', createGunzip],
    ['br', createBrotliDecompress],
  ] as const)('flow page by page with %s', async (coding, decoder) => {
    const next = Promise.withResolvers<void>();
    search = async function* () {
      yield page;
      await next.promise;
      yield page;
    };
    const headers = { 'accept-encoding': coding };
    const response = await gateway.begin('/search.txt?query-string=x', headers).answer;
    expect(response.headers).toMatchObject({
      'content-encoding': coding,
      vary: 'Accept, Accept-Datetime, Accept-Encoding',
    });
    let text = '';
    for await (const chunk of response.pipe(decoder())) {
      text += chunk;
      // The first page is there before the creation of the second.
      if (text.length >= large.text.length) next.resolve();
    }
    expect(text).toBe(`${large.text}\n`.repeat(2));
  });

  it('that break off end a complete document', async () => {
    search = async function* () {
      yield page;
      throw new ServiceError('unavailable', 'The index is away');
    };
    const { headers, text } = await gateway.send('/search.json?query-string=x', { headers: gzip });
    expect(headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(text).errormessages.errormessage).toMatchObject([{ text: 'The index is away' }]);
  });

  it('end when their client disconnects', async () => {
    const ended = Promise.withResolvers<void>();
    search = async function* () {
      try {
        for (;;) yield page;
      } finally {
        ended.resolve();
      }
    };
    const { answer, gone } = gateway.begin('/search?query-string=x', gzip);
    expect((await answer).headers['content-encoding']).toBe('gzip');
    gone();
    await ended.promise;
  });
});
