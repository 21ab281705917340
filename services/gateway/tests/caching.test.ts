import { LookupStatus, type WatchResponse } from '@cadastre/proto/objects';
import { Operation } from '@cadastre/proto/registry';
import { expect, it } from 'vitest';
import { exampleAuth, exampleReader, mntner, startGateway } from './gateway.fixture.js';
import { rawRequest } from './raw-request.fixture.js';

const path = '/TEST/mntner/EXAMPLE-MNT';

const old = { ...mntner, revision: 1, text: mntner.text.replace('mnt-by', 'remarks:        old\nmnt-by') };

async function startCounted() {
  let lookups = 0;
  const waiting: ((response: WatchResponse) => void)[] = [];
  const gateway = await startGateway({
    auth: exampleAuth,
    reader: {
      ...exampleReader,
      batchLookup: async (request, call) => {
        lookups += request.lookups.length;
        return exampleReader!.batchLookup!(request, call);
      },
      batchLookupPast: async (request) => {
        lookups += request.lookups.length;
        return {
          answers: request.lookups.map(() => ({ status: LookupStatus.LOOKUP_STATUS_FOUND, object: old, serial: 1n })),
        };
      },
    },
    feed: {
      async *watch(_request, call) {
        yield { changes: [], serial: 7n };
        while (!call.signal.aborted) {
          yield await new Promise<WatchResponse>((resolve) => {
            waiting.push(resolve);
            call.signal.addEventListener('abort', () => resolve({ changes: [], serial: 7n }));
          });
        }
      },
    },
  });
  const counted = async (url: string, headers: Record<string, string> = {}) => {
    const before = lookups;
    const { text } = await gateway.send(url, { headers });
    return { requested: lookups - before, text };
  };
  await expect
    .poll(async () => {
      await counted(path);
      return (await counted(path)).requested === 0;
    })
    .toBe(true);
  const say = (response: WatchResponse) => {
    for (const report of waiting.splice(0)) report(response);
  };
  return { gateway, counted, say };
}

it('responds to the same lookup from memory with the same bytes, until the object changes', async () => {
  const { gateway, counted, say } = await startCounted();
  const first = await counted(`${path}.json`);
  expect(first.requested).toBe(1);
  expect(await counted(`${path}.json`)).toEqual({ requested: 0, text: first.text });
  const changed = { serial: 8n, operation: Operation.OPERATION_UPDATE, object: { ...mntner, text: '' } };
  say({ changes: [changed], serial: 8n });
  await expect.poll(async () => (await counted(`${path}.json`)).requested).toBe(1);
  await gateway.stop();
});

it('separates formats and addresses', async () => {
  const { gateway, counted } = await startCounted();
  const xml = await counted(path);
  const json = await counted(path, { accept: 'application/json' });
  expect(xml.text.startsWith('<?xml')).toBe(true);
  expect(json.text.startsWith('{')).toBe(true);
  const plain = await gateway.send(path, { secure: false });
  expect(plain.text).toContain(`http://localhost:${gateway.gateway.ports().http}/test/`);
  const certified = await gateway.send(path, { client: {} });
  expect(certified.text).toContain(`https://localhost:${gateway.gateway.ports().certificate}/test/`);
  await gateway.stop();
});

it('never caches authenticated or unfiltered responses, errors or versions', async () => {
  const { gateway, counted } = await startCounted();
  for (let round = 0; round < 2; round++) {
    expect((await counted(path, { authorization: 'Basic good' })).requested).toBe(1);
    expect((await counted(`${path}?unfiltered`)).requested).toBe(1);
    expect((await counted('/TEST/mntner/ABSENT-MNT')).requested).toBe(1);
  }
  await gateway.stop();
});

it('never mixes responses of the past and of the present', async () => {
  const { gateway, counted } = await startCounted();
  const { text: present } = await counted(path);
  for (let round = 0; round < 3; round++) {
    const ofThen = await counted(path, { 'accept-datetime': 'Thu, 01 Jan 2026 00:00:00 GMT' });
    expect(ofThen).toEqual({ requested: 1, text: expect.stringContaining('old') });
    expect(await counted(`${path}?as-of=1`)).toEqual({ requested: 1, text: ofThen.text });
    expect(await counted(path)).toEqual({ requested: 0, text: present });
  }
  await gateway.stop();
});

it('passes the same checks whether it is cached or not', async () => {
  const { gateway } = await startCounted();
  const lacking = `GET ${path} HTTP/1.1\r\nAccept: application/json\r\n\r\n`;
  for (const _isCached of [false, true]) {
    expect(await rawRequest(gateway.gateway.ports().http, lacking)).toMatch(/^HTTP\/1\.1 400 /);
    const whole = await gateway.send(path, { secure: false, headers: { accept: 'application/json' } });
    expect(whole.status).toBe(200);
  }
  await gateway.stop();
});

it('caches a response that only its extension makes acceptable', async () => {
  const { gateway, counted } = await startCounted();
  const headers = { accept: 'text/html' };
  expect(await gateway.send(`${path}.json`, { headers })).toMatchObject({ status: 200 });
  expect((await counted(`${path}.json`, headers)).requested).toBe(0);
  await gateway.stop();
});
