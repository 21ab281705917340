import {
  type BatchLookupRequest,
  LookupStatus,
  type WriteConditionallyRequest,
  WriteOutcome,
  type WriteResult,
} from '@cadastre/proto/objects';
import { Severity } from '@cadastre/proto/registry';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  exampleAuth,
  exampleReader,
  mntner,
  type RunningGateway,
  type SendOptions,
  startGateway,
} from './gateway.fixture.js';

/** Large enough to be compressed. */
const text = mntner.text.replace('source:', `${'remarks:        one more line\n'.repeat(200)}source:`);
const stored = { ...mntner, text, lastModified: new Date('2026-01-02T03:04:05Z') };
const state = { revision: stored.revision, lastModified: stored.lastModified };
const path = '/TEST/mntner/EXAMPLE-MNT';
const caller = { authorization: 'Basic good' };
const json = { 'content-type': 'application/json', accept: 'application/json', ...caller };
const document = { objects: { object: [{ attributes: { attribute: [{ name: 'mntner', value: 'EXAMPLE-MNT' }] } }] } };
const body = JSON.stringify(document);

let gateway: RunningGateway;
/** A gateway beside an objects service of the release before. */
let newer: RunningGateway;
let asked: WriteConditionallyRequest | undefined;
let plain: string[] = [];
let answer: WriteResult;

const made: WriteResult = { outcome: WriteOutcome.WRITE_OUTCOME_MODIFIED, object: stored, messages: [], serial: 8n };
const stale: WriteResult = {
  outcome: WriteOutcome.WRITE_OUTCOME_STALE,
  messages: [{ severity: Severity.SEVERITY_ERROR, text: 'It has changed: version %d', args: ['4'] }],
  serial: 0n,
};

beforeAll(async () => {
  const reader = {
    ...exampleReader,
    batchLookup: async ({ lookups }: BatchLookupRequest) => ({
      answers: lookups.map(() => ({ status: LookupStatus.LOOKUP_STATUS_FOUND, object: stored })),
    }),
    getVersion: async () => ({ object: stored, current: true }),
  };
  const writeOne = (method: string) => async () => {
    plain.push(method);
    return { result: made };
  };
  const writer = {
    createObject: writeOne('create'),
    updateObject: writeOne('update'),
    deleteObject: writeOne('delete'),
    applyChanges: async () => ({ results: [made] }),
  };
  const writeConditionally = async (request: WriteConditionallyRequest) => {
    asked = request;
    return { results: [answer] };
  };
  const services = { reader, auth: exampleAuth };
  gateway = await startGateway({ ...services, writer: { ...writer, writeConditionally } });
  newer = await startGateway({ ...services, writer: { ...writer, writeConditionally: undefined as never } });
});
afterAll(() => Promise.all([gateway.stop(), newer.stop()]));
beforeEach(() => {
  asked = undefined;
  plain = [];
  answer = made;
});

const tagOf = async (url: string, headers = {}) => String((await gateway.send(url, { headers })).headers.etag);
const write = (method: string, ifMatch: string, more: SendOptions = {}, url = path) =>
  gateway.send(url, {
    method,
    ...(method === 'DELETE' ? {} : { body }),
    ...more,
    headers: { ...json, 'if-match': ifMatch, ...more.headers },
  });

describe('If-Match', () => {
  it.each<[string, Record<string, string>?]>([
    [path],
    [`${path}.json`],
    [`${path}.txt`],
    [`${path}?unfiltered`],
    [`${path}?unformatted`, caller],
    ['/test/MNTNER/example-mnt'],
    [path, { 'accept-encoding': 'gzip' }],
    [path, { 'accept-encoding': 'br' }],
  ])('takes the tag of %s %o', async (url, headers) => {
    const tag = await tagOf(url, headers);
    expect(tag.startsWith('W/')).toBe(headers !== undefined && 'accept-encoding' in headers);
    for (const method of ['PUT', 'DELETE']) {
      expect((await write(method, tag)).status).toBe(200);
      expect(asked).toMatchObject({
        write: {
          $case: method === 'PUT' ? 'update' : 'delete',
          value: { key: { key: 'EXAMPLE-MNT' }, options: { dryRun: false, principal: { accountId: '1' } } },
        },
        expected: { states: [state] },
      });
    }
    expect(plain).toEqual([]);
  });

  it('* is the plain write, which needs an object', async () => {
    await write('PUT', '*');
    await write('DELETE', ' * ');
    expect([plain, asked]).toEqual([['update', 'delete'], undefined]);
  });

  it.each([
    ['of a version', () => tagOf(`${path}/versions/3`)],
    ['of metadata', () => tagOf('/metadata/sources')],
    ['of another server', async () => '"x"'],
    ['that is none', async () => ''],
  ])('with a tag %s expects what no object has', async (_what, tag) => {
    expect((await write('PUT', await tag())).status).toBe(200);
    expect(asked?.expected).toEqual({ states: [] });
  });

  it.each([
    ['application/json', path],
    ['application/xml', path],
    ['application/json', `${path}?dry-run`],
  ])('a stale state is 412 in %s: %s', async (accept, url) => {
    answer = stale;
    const refused = await write('PUT', '"x"', { headers: { accept } }, url);
    expect(refused).toMatchObject({ status: 412, headers: { 'content-type': accept } });
    expect(refused.text).toContain('It has changed: version %d');
    expect(asked?.write?.value).toMatchObject({ options: { dryRun: url !== path } });
  });

  it.each([
    ['POST', '/TEST/mntner'],
    ['POST', '/batch/TEST'],
    ['POST', '/references/TEST'],
    ['POST', '/syncupdates/TEST'],
    ['DELETE', '/webhooks/x'],
    ['DELETE', '/session'],
  ])('%s %s does not take it: 400, and nothing is written', async (method, url) => {
    expect((await write(method, '*', {}, url)).status).toBe(400);
    expect([plain, asked]).toEqual([[], undefined]);
  });

  it('is no condition of a read', async () => {
    expect((await gateway.send(path, { headers: { 'if-match': '"x"' } })).status).toBe(200);
  });

  it('beside an objects service that does not know it, nothing is written', async () => {
    const refused = await newer.send(path, {
      method: 'PUT',
      headers: { ...json, 'if-match': await tagOf(path) },
      body,
    });
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(plain).toEqual([]);
    expect((await newer.send(path, { method: 'PUT', headers: json, body })).status).toBe(200);
    expect(plain).toEqual(['update']);
  });
});
