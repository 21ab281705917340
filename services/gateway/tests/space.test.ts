import type { DescribeSpaceRequest, DescribeSpaceResponse, ListOwnSpaceRequest } from '@cadastre/proto/objects';
import { ServiceError } from '@cadastre/service';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exampleAuth, exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

let gateway: RunningGateway;
const requested: (DescribeSpaceRequest | ListOwnSpaceRequest)[] = [];
let failure: ServiceError | undefined;

const network = {
  key: { source: 'TEST', type: 'inetnum', key: '192.0.2.0 - 192.0.2.255' },
  netname: 'EXAMPLE-NET',
  status: '',
  attributes: ['mnt-by'],
};
const space: DescribeSpaceResponse = {
  source: 'TEST',
  range: '192.0.2.0/24',
  type: 'inetnum',
  addresses: '256',
  enclosing: [network],
  used: '16',
  objects: 1,
  isPartial: false,
  parts: [{ range: '192.0.2.0/24', used: '16', objects: 1 }],
  inside: ['192.0.2.0 - 192.0.2.15'],
  free: ['192.0.2.128/25'],
};

beforeAll(async () => {
  const noted = async <Q extends DescribeSpaceRequest | ListOwnSpaceRequest, A>(request: Q, answer: A) => {
    requested.push(request);
    if (failure) throw failure;
    return answer;
  };
  const hierarchy = {
    describeSpace: (request: DescribeSpaceRequest) => noted(request, space),
    listOwnSpace: (request: ListOwnSpaceRequest) => noted(request, { objects: [network], incomplete: true }),
  };
  gateway = await startGateway({ reader: exampleReader, auth: exampleAuth, hierarchy });
});
afterEach(() => {
  failure = undefined;
  requested.splice(0);
});
afterAll(() => gateway.stop());

const signedIn = { headers: { authorization: 'Basic good' } };

describe('GET /search/space', () => {
  const path = '/search/space?query-string=192.0.2.0/24';

  it('tells what is registered in a range', async () => {
    const sent = await gateway.send(`${path}&source=test&parts=1`, signedIn);
    expect([sent.status, sent.headers['content-type']]).toEqual([200, 'application/json']);
    expect(JSON.parse(sent.text)).toEqual({
      source: 'TEST',
      type: 'inetnum',
      range: '192.0.2.0/24',
      addresses: '256',
      enclosing: [{ ...network.key, netname: 'EXAMPLE-NET' }],
      used: '16',
      objects: 1,
      partial: false,
      parts: [{ range: '192.0.2.0/24', used: '16', objects: 1 }],
      inside: ['192.0.2.0 - 192.0.2.15'],
      free: ['192.0.2.128/25'],
    });
    expect(requested).toEqual([{ source: 'test', resource: '192.0.2.0/24', parts: 1 }]);
  });

  it('divides a range into 64 parts unless the request says otherwise', async () => {
    await gateway.send(path, signedIn);
    expect(requested).toEqual([{ source: '', resource: '192.0.2.0/24', parts: 64 }]);
  });

  it('needs an account', async () => {
    expect((await gateway.send(path)).status).toBe(401);
    expect(requested).toEqual([]);
  });
});

describe('GET /session/space', () => {
  const path = '/session/space';

  it('lists the address space of the account', async () => {
    const sent = await gateway.send(path, signedIn);
    expect(JSON.parse(sent.text)).toEqual({
      networks: [{ ...network.key, netname: 'EXAMPLE-NET', attributes: ['mnt-by'] }],
      incomplete: true,
    });
    expect(requested).toMatchObject([{ principal: { accountName: 'alice@example.net' } }]);
  });

  it('needs an account, and HTTPS', async () => {
    expect((await gateway.send(path)).status).toBe(401);
    expect((await gateway.send(path, { secure: false })).status).toBe(426);
  });
});

it('passes on what the objects service refuses', async () => {
  for (const path of ['/search/space?query-string=x', '/session/space']) {
    failure = new ServiceError('invalid', '"x" is not an address range');
    const sent = await gateway.send(path, signedIn);
    expect(sent.status).toBe(400);
    expect(sent.text).toContain('is not an address range');
  }
});
