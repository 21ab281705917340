import type { CountObjectsRequest, CountObjectsResponse } from '@cadastre/proto/search';
import { ServiceError } from '@cadastre/service';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { exampleAuth, exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

let gateway: RunningGateway;
const requested: CountObjectsRequest[] = [];
let answer: () => CountObjectsResponse;

beforeAll(async () => {
  const countObjects = async (request: CountObjectsRequest) => {
    requested.push(request);
    return answer();
  };
  gateway = await startGateway({ reader: exampleReader, auth: exampleAuth, search: { countObjects } });
});
afterEach(() => void requested.splice(0));
afterAll(() => gateway.stop());

const path = '/search/counts?query-string=EXAMPLE-MNT';

it('answers how many objects of each type there are', async () => {
  const counts = [
    { type: 'inetnum', objects: 1_232n },
    { type: 'route', objects: 7n },
  ];
  answer = () => ({ counts, isPartial: true, serial: 4711n });
  const sent = await gateway.send(`${path}&inverse-attribute=mnt-by,mnt-lower&type-filter=in&source=test`);
  expect([sent.status, sent.headers['content-type']]).toEqual([200, 'application/json']);
  expect(JSON.parse(sent.text)).toEqual({
    counts: [
      { type: 'inetnum', objects: 1232 },
      { type: 'route', objects: 7 },
    ],
    partial: true,
    serial: 4711,
  });
  const { client, ...question } = requested[0]!;
  expect(client).not.toBe('');
  expect(question).toEqual({
    query: 'EXAMPLE-MNT',
    source: 'test',
    types: ['in'],
    inverseAttributes: ['mnt-by,mnt-lower'],
  });
});

it.each([
  ['no attribute', path, 400, 'inverse-attribute is required'],
  ['an empty attribute', `${path}&inverse-attribute=`, 400, 'inverse-attribute is required'],
])('refuses %s', async (_what, url, status, text) => {
  const sent = await gateway.send(url);
  expect(sent.status).toBe(status);
  expect(sent.text).toContain(text);
  expect(requested).toEqual([]);
});

it('forwards refusals of the search service', async () => {
  answer = () => {
    throw new ServiceError('invalid', 'Only inverse lookups can be counted');
  };
  const sent = await gateway.send(`${path}&inverse-attribute=mnt-by`);
  expect([sent.status, JSON.parse(sent.text).errormessages.errormessage[0].text]).toEqual([
    400,
    'Only inverse lookups can be counted',
  ]);
});
