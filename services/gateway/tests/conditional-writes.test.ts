import { AuthenticationOutcome } from '@cadastre/proto/auth';
import {
  type BatchLookupRequest,
  ChangeAction,
  KeyOutcome,
  LookupStatus,
  WriteOutcome,
  type WriteRequest,
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
/** A gateway with an objects service that does not know the method. */
let newer: RunningGateway;
/** The last write with a condition or a key. */
let requested: WriteRequest | undefined;
/** The kinds of the writes without. */
let plain: string[] = [];
let answer: WriteResult;
let keyOutcome: KeyOutcome;

const isRefused = [
  KeyOutcome.KEY_OUTCOME_OTHER_REQUEST,
  KeyOutcome.KEY_OUTCOME_RUNNING,
  KeyOutcome.KEY_OUTCOME_TOO_MANY,
];

const made: WriteResult = { outcome: WriteOutcome.WRITE_OUTCOME_MODIFIED, object: stored, messages: [], serial: 8n };
const stale: WriteResult = {
  outcome: WriteOutcome.WRITE_OUTCOME_STALE,
  messages: [{ severity: Severity.SEVERITY_ERROR, text: 'It has changed: version %d', args: ['4'] }],
  serial: 0n,
};

/** A caller with its own key, and without an account. */
const signed = {
  outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED,
  principal: {
    credentials: [],
    accountId: '',
    accountName: '',
    apiKeyId: '',
    maintainers: [],
    keyFingerprints: ['aa'],
  },
  messages: [],
};

beforeAll(async () => {
  const reader = {
    ...exampleReader,
    batchLookup: async ({ lookups }: BatchLookupRequest) => ({
      answers: lookups.map(() => ({ status: LookupStatus.LOOKUP_STATUS_FOUND, object: stored })),
    }),
    getVersion: async () => ({ object: stored, current: true }),
  };
  const write = async (request: WriteRequest) => {
    if (request.expected || request.key) requested = request;
    else plain.push(request.write!.$case);
    return { results: isRefused.includes(keyOutcome) ? [] : [answer], keyOutcome };
  };
  const auth = {
    ...exampleAuth,
    authenticate: async (...given: Parameters<NonNullable<NonNullable<typeof exampleAuth>['authenticate']>>) => {
      const known = await exampleAuth!.authenticate!(...given);
      const isSigned = given[0].basic === 'signed';
      return isSigned ? { ...known, ...signed } : known;
    },
  };
  const services = { reader, auth };
  gateway = await startGateway({ ...services, writer: { write } });
  newer = await startGateway({ ...services, writer: { write: undefined as never } });
});
afterAll(() => Promise.all([gateway.stop(), newer.stop()]));
beforeEach(() => {
  requested = undefined;
  plain = [];
  answer = made;
  keyOutcome = KeyOutcome.KEY_OUTCOME_FREE;
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
  ])('accepts the tag of %s %o', async (url, headers) => {
    const tag = await tagOf(url, headers);
    expect(tag.startsWith('W/')).toBe(headers !== undefined && 'accept-encoding' in headers);
    for (const method of ['PUT', 'DELETE']) {
      expect((await write(method, tag)).status).toBe(200);
      expect(requested).toMatchObject({
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
    expect([plain, requested]).toEqual([['update', 'delete'], undefined]);
  });

  it.each([
    ['of a version', () => tagOf(`${path}/versions/3`)],
    ['of metadata', () => tagOf('/metadata/sources')],
    ['of another server', async () => '"x"'],
    ['that is none', async () => ''],
  ])('with a tag %s expects what no object has', async (_what, tag) => {
    expect((await write('PUT', await tag())).status).toBe(200);
    expect(requested?.expected).toEqual({ states: [] });
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
    expect(requested?.write?.value).toMatchObject({ options: { dryRun: url !== path } });
  });

  it.each([
    ['POST', '/TEST/mntner'],
    ['POST', '/batch/TEST'],
    ['POST', '/references/TEST'],
    ['POST', '/syncupdates/TEST'],
    ['DELETE', '/webhooks/x'],
    ['DELETE', '/session'],
  ])('%s %s does not support it: 400, and nothing is written', async (method, url) => {
    expect((await write(method, '*', {}, url)).status).toBe(400);
    expect([plain, requested]).toEqual([[], undefined]);
  });

  it('is no condition of a read', async () => {
    expect((await gateway.send(path, { headers: { 'if-match': '"x"' } })).status).toBe(200);
  });

  it('with an objects service that does not support it, nothing is written', async () => {
    const refused = await newer.send(path, {
      method: 'PUT',
      headers: { ...json, 'if-match': await tagOf(path) },
      body,
    });
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(plain).toEqual([]);
  });
});

describe('Idempotency-Key', () => {
  const post = (key: string | undefined, url = '/TEST/mntner', more: SendOptions = {}) => {
    const headers = { ...json, ...(key === undefined ? {} : { 'idempotency-key': key }), ...more.headers };
    return gateway.send(url, { method: 'POST', body, ...more, headers });
  };
  const keyed = async (...given: Parameters<typeof post>) => {
    expect((await post(...given)).status).toBe(200);
    return requested!.key!;
  };
  const pair = JSON.stringify({
    objects: {
      object: ['mntner', 'person'].map((name) => ({ attributes: { attribute: [{ name, value: 'X' }] } })),
    },
  });

  it.each([
    ['abc', 'abc'],
    ['"abc"', 'abc'],
    [' "a b" ', 'a b'],
    ['"a\\"b\\\\c"', 'a"b\\c'],
    ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['k'.repeat(255), 'k'.repeat(255)],
  ])('%s', async (sent, key) => {
    expect(await keyed(sent)).toMatchObject({ key });
    expect(requested).toMatchObject({ write: { $case: 'create', value: { type: 'mntner' } }, expected: undefined });
    expect(plain).toEqual([]);
  });

  it.each([
    '',
    '""',
    '"',
    'a"b',
    '"a',
    'a,b',
    'a b',
    'one, two',
    'é',
    '"\\a"',
    'k'.repeat(256),
    `"${'k'.repeat(256)}"`,
  ])('%s is none: 400', async (sent) => {
    const refused = await post(sent);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('Idempotency-Key');
    expect([plain, requested]).toEqual([[], undefined]);
  });

  it('names the same request in every format, and with other options', async () => {
    const { request } = await keyed('k');
    expect(request.length).toBe(32);
    const xml =
      '<whois-resources><objects><object><attributes><attribute name="mntner" value="EXAMPLE-MNT"/></attributes></object></objects></whois-resources>';
    const same = [
      await keyed('k', '/test/MNTNER'),
      await keyed('other', '/TEST/mntner?unformatted'),
      await keyed('k', '/TEST/mntner', { body: ` ${body}`, headers: { accept: 'application/xml' } }),
      await keyed('k', '/TEST/mntner', { body: xml, headers: { 'content-type': 'application/xml' } }),
    ];
    for (const one of same) expect(one.request).toEqual(request);
    const others = [
      await keyed('k', '/TEST/role'),
      await keyed('k', '/batch/TEST'),
      await keyed('k', '/TEST/mntner', { body: body.replace('EXAMPLE', 'OTHER') }),
      await keyed('k', '/references/TEST', { body: pair }),
      await keyed('k', '/batch/TEST', { body: pair }),
    ];
    expect(new Set([request, ...others.map((one) => one.request)].map((one) => one.toString('hex'))).size).toBe(6);
  });

  it('of a batch is the same whether its objects exist, but for deletions', async () => {
    const { request } = await keyed('k', '/batch/TEST');
    const changes = [{ action: ChangeAction.CHANGE_ACTION_PUT }];
    expect(requested?.write).toMatchObject({ $case: 'apply', value: { changes } });
    const created = body.replace('{"attributes"', '{"if-none-match":"*","attributes"');
    expect((await keyed('k', '/batch/TEST', { body: created })).request).toEqual(request);
    const deletion = body.replace('{"attributes"', '{"action":"DELETE","attributes"');
    const deleted = await keyed('k', '/batch/TEST?delete-reason=a', { body: deletion });
    const otherwise = await keyed('k', '/batch/TEST?delete-reason=b', { body: deletion });
    expect(deleted.request).not.toEqual(request);
    expect(deleted.request).not.toEqual(otherwise.request);
  });

  it('a repeated result says so', async () => {
    expect((await post('k')).headers).not.toHaveProperty('idempotent-replayed');
    keyOutcome = KeyOutcome.KEY_OUTCOME_REPEATED;
    expect((await post('k')).headers).toMatchObject({ 'idempotent-replayed': 'true', 'cadastre-serial': '8' });
  });

  it.each([
    [KeyOutcome.KEY_OUTCOME_OTHER_REQUEST, 422, undefined],
    [KeyOutcome.KEY_OUTCOME_RUNNING, 409, '1'],
    [KeyOutcome.KEY_OUTCOME_TOO_MANY, 429, '60'],
  ])('outcome %d is %d', async (outcome, status, wait) => {
    keyOutcome = outcome;
    for (const [url, sent] of [
      ['/TEST/mntner', body],
      ['/batch/TEST', body],
      ['/references/TEST', pair],
    ] as const) {
      const refused = await post('k', url, { body: sent });
      expect([refused.status, refused.headers['retry-after']]).toEqual([status, wait]);
      expect(JSON.parse(refused.text).errormessages.errormessage[0].text).toContain('Idempotency-Key');
    }
  });

  it('of a dry run is checked and ignored', async () => {
    expect((await post('k', '/TEST/mntner?dry-run')).status).toBe(200);
    expect([plain, requested]).toEqual([['create'], undefined]);
    expect((await post('', '/TEST/mntner?dry-run')).status).toBe(400);
  });

  it('needs an account; an anonymous write is refused as always', async () => {
    expect((await post('k', '/TEST/mntner', { headers: { authorization: 'Basic signed' } })).status).toBe(400);
    expect([plain, requested]).toEqual([[], undefined]);
    const { authorization: _, ...anonymous } = json;
    await gateway.send('/TEST/mntner', { method: 'POST', body, headers: { ...anonymous, 'idempotency-key': 'k' } });
    expect([plain, requested]).toEqual([['create'], undefined]);
  });

  it.each(['/syncupdates/TEST', '/api-keys', '/webhooks', '/webhooks/x/secret', '/webhooks/x/deliveries'])(
    'POST %s does not support it: 400',
    async (url) => {
      expect((await post('k', url)).status).toBe(400);
      expect([plain, requested]).toEqual([[], undefined]);
    },
  );

  it('of PUT and DELETE is ignored: they may be repeated without one', async () => {
    const headers = { ...json, 'idempotency-key': '' };
    expect((await gateway.send(path, { method: 'PUT', headers, body })).status).toBe(200);
    expect((await gateway.send(path, { method: 'DELETE', headers })).status).toBe(200);
    expect([plain, requested]).toEqual([['update', 'delete'], undefined]);
  });

  it('with an objects service that does not support it, nothing is written', async () => {
    const refused = await newer.send('/TEST/mntner', {
      method: 'POST',
      headers: { ...json, 'idempotency-key': 'k' },
      body,
    });
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(plain).toEqual([]);
  });
});
