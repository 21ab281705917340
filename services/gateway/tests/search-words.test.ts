import type { SearchWordsRequest, SearchWordsResponse, SuggestRequest, SuggestResponse } from '@cadastre/proto/search';
import { ServiceError } from '@cadastre/service';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { exampleAuth, exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

let gateway: RunningGateway;
const requested: (SearchWordsRequest | SuggestRequest)[] = [];
let answer: () => SearchWordsResponse;

const network = { source: 'TEST', type: 'inetnum', key: '192.0.2.0 - 192.0.2.255', title: 'EXAMPLE-NET' };
const person = { source: 'TEST', type: 'person', key: 'AE1-TEST', title: '' };
const { title: _none, ...untitled } = person;

beforeAll(async () => {
  const search = {
    searchWords: async (request: SearchWordsRequest) => {
      requested.push(request);
      return answer();
    },
    suggest: async (request: SuggestRequest): Promise<SuggestResponse> => {
      requested.push(request);
      return { suggestions: [network, person] };
    },
  };
  gateway = await startGateway({ reader: exampleReader, auth: exampleAuth, search });
});
afterEach(() => void requested.splice(0));
afterAll(() => gateway.stop());

const nothing: SearchWordsResponse = { found: [], counts: [], isPartial: false, serial: 17n, cursor: Buffer.alloc(0) };

function question() {
  const { client, ...rest } = requested[0]!;
  expect(client).not.toBe('');
  return rest;
}

it('answers the objects that have words, with counts and a cursor', async () => {
  const cursor = Buffer.from('a cursor');
  answer = () => ({
    found: [
      { object: network, matches: [{ name: 'descr', value: 'Example network' }] },
      { object: person, matches: [] },
    ],
    counts: [{ type: 'inetnum', objects: 12n }],
    isPartial: true,
    serial: 17n,
    cursor,
  });
  const sent = await gateway.send(
    `/search/words?query-string=example%20network&source=test&type-filter=in&limit=2&cursor=${cursor.toString('base64url')}`,
  );
  expect([sent.status, sent.headers['content-type']]).toEqual([200, 'application/json']);
  expect(JSON.parse(sent.text)).toEqual({
    counts: [{ type: 'inetnum', objects: 12 }],
    partial: true,
    serial: 17,
    found: [
      { ...network, matches: [{ attribute: 'descr', value: 'Example network' }] },
      { ...untitled, matches: [] },
    ],
    cursor: cursor.toString('base64url'),
  });
  expect(question()).toEqual({ query: 'example network', source: 'test', types: ['in'], limit: 2, cursor });
});

it.each([
  ['', 20],
  ['&limit=0', 0],
  ['&limit=100', 100],
  ['&limit=5000', 100],
])('requests with %j %d objects; an empty result is no error', async (more, limit) => {
  answer = () => nothing;
  const sent = await gateway.send(`/search/words?query-string=example${more}`);
  expect(sent.status).toBe(200);
  expect(JSON.parse(sent.text)).toEqual({ counts: [], partial: false, serial: 17, found: [] });
  expect(question()).toEqual({ query: 'example', source: '', types: [], limit, cursor: Buffer.alloc(0) });
});

it.each([
  ['', 8],
  ['&limit=20', 20],
  ['&limit=21', 20],
])('suggests objects that begin with a text: with %j at most %d', async (more, limit) => {
  const sent = await gateway.send(`/search/suggestions?beginning=exam%20p${more}`);
  expect([sent.status, JSON.parse(sent.text)]).toEqual([200, { suggestions: [network, untitled] }]);
  expect(question()).toEqual({ beginning: 'exam p', limit });
});

it.each([
  ['a damaged cursor', '/search/words?query-string=example&cursor=%21', "Invalid value in parameter 'cursor'"],
  ['a limit that is no number', '/search/words?query-string=example&limit=x', 'limit'],
  ['a limit of suggestions that is no number', '/search/suggestions?beginning=exam&limit=x', 'limit'],
])('refuses %s', async (_what, path, text) => {
  const sent = await gateway.send(path);
  expect([sent.status, requested]).toEqual([400, []]);
  expect(sent.text).toContain(text);
});

it('forwards refusals of the search service', async () => {
  answer = () => {
    throw new ServiceError('invalid', 'At most 8 words can be searched for');
  };
  expect((await gateway.send('/search/words?query-string=example')).status).toBe(400);
});

it('is unavailable while the search service is of the release before', async () => {
  const older = await startGateway({ reader: exampleReader, auth: exampleAuth, search: {} });
  try {
    for (const path of ['/search/words?query-string=example', '/search/suggestions?beginning=exam']) {
      expect((await older.send(path)).status).toBe(503);
    }
  } finally {
    await older.stop();
  }
});
