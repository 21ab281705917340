import { AuthenticationOutcome } from '@cadastre/proto/auth';
import {
  type CreateWebhookRequest,
  type ResendWebhookRequest,
  type Webhook,
  WebhookPayload,
  WebhookSignature,
  WebhookState,
} from '@cadastre/proto/objects';
import { CredentialKind, type Principal } from '@cadastre/proto/registry';
import { failureMessage, ServiceError } from '@cadastre/service';
import { keepSecret } from '@cadastre/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningGateway, startGateway } from './gateway.fixture.js';

const alice: Principal = {
  credentials: [CredentialKind.CREDENTIAL_KIND_API_KEY],
  accountId: '1',
  accountName: 'alice@example.net',
  apiKeyId: 'k',
  maintainers: [],
  keyFingerprints: [],
};
const webhook: Webhook = {
  id: 'W'.repeat(24),
  properties: {
    url: 'https://hooks.example.net/registry',
    description: '',
    source: 'TEST',
    filter: { types: ['route'], operations: [], maintainers: [], within: ['192.0.2.0/24'], key: '' },
    payload: WebhookPayload.WEBHOOK_PAYLOAD_OBJECT,
    signature: WebhookSignature.WEBHOOK_SIGNATURE_V1A,
    disabled: false,
  },
  state: WebhookState.WEBHOOK_STATE_ACTIVE,
  reason: '',
  created: new Date('2026-01-01T00:00:00Z'),
  serial: 4711n,
  failures: 2,
  failingSince: new Date('2026-01-02T00:00:00Z'),
  due: new Date('2026-01-02T00:05:00Z'),
  publicKey: 'whpk_AAAA',
};
const shown = {
  id: webhook.id,
  url: 'https://hooks.example.net/registry',
  description: '',
  source: 'TEST',
  filter: { 'type-filter': ['route'], operation: [], maintainer: [], within: ['192.0.2.0/24'], key: '' },
  payload: 'object',
  signature: 'v1a',
  state: 'active',
  created: '2026-01-01T00:00:00.000Z',
  serial: 4711,
  failures: 2,
  'failing-since': '2026-01-02T00:00:00.000Z',
  'next-attempt': '2026-01-02T00:05:00.000Z',
  'public-key': 'whpk_AAAA',
};

let principal: Principal;
let requested: unknown[];
let gateway: RunningGateway;
const secret = 'whsec_c2VjcmV0LW9mLWEtd2ViaG9vaw==';
keepSecret(secret);

/** The answer for the only webhook. */
async function answer<T extends object>(request: { id: string }, more: T): Promise<{ webhook: Webhook } & T> {
  requested.push(request);
  if (request.id !== webhook.id) throw new ServiceError('not-found', [failureMessage('There is no webhook')]);
  return { webhook, ...more };
}

beforeAll(async () => {
  gateway = await startGateway({
    auth: {
      authenticate: async () => ({
        outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED,
        principal,
        messages: [],
      }),
    },
    webhooks: {
      createWebhook: async (request) => answer({ ...request, id: webhook.id }, { secret }),
      listWebhooks: async (request) => {
        requested.push(request);
        return { webhooks: [webhook] };
      },
      getWebhook: (request) => answer(request, {}),
      updateWebhook: (request) => answer(request, {}),
      deleteWebhook: (request) => answer(request, {}),
      rotateWebhookSecret: (request) => answer(request, { secret: '' }),
      listWebhookAttempts: (request) =>
        answer(request, {
          attempts: [
            {
              id: 2n,
              eventId: 'TEST-4712',
              serial: 4712n,
              instant: new Date(0),
              status: 0,
              durationMs: 9,
              error: 'gone',
              response: '',
            },
            {
              id: 1n,
              eventId: 'TEST-test-1',
              serial: 0n,
              instant: new Date(0),
              status: 200,
              durationMs: 3,
              error: '',
              response: 'ok',
            },
          ],
        }),
      resendWebhook: (request) => answer(request, {}),
    },
  });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  requested = [];
  principal = alice;
});

const headers = { authorization: 'Basic good', 'content-type': 'application/json' };
const path = `/webhooks/${webhook.id}`;
const name = { id: webhook.id, accountId: '1' };

async function request(method: string, at: string, body?: object | string) {
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const received = await gateway.send(at, { method, headers, ...(text !== undefined && { body: text }) });
  return { status: received.status, headers: received.headers, json: JSON.parse(received.text) };
}

describe('the webhooks of the caller', () => {
  it('are listed, and not to be cached', async () => {
    const received = await request('GET', '/webhooks');
    expect([received.status, received.json]).toEqual([200, { webhooks: [shown] }]);
    expect(received.headers['cache-control']).toContain('no-store');
    expect(requested).toMatchObject([{ accountId: '1' }]);
  });

  it('are made with their properties; the secret is shown', async () => {
    const { url, source, filter, payload, signature } = shown;
    const received = await request('POST', '/webhooks', { url, source, filter, payload, signature });
    expect([received.status, received.json]).toEqual([200, { webhook: shown, secret }]);
    expect(requested[0] as CreateWebhookRequest).toMatchObject({
      accountId: '1',
      accountName: 'alice@example.net',
      properties: webhook.properties,
    });
  });

  it('have defaults: all changes in order, their keys, signed with v1', async () => {
    await request('POST', '/webhooks', { url: 'https://hooks.example.net/', source: 'TEST' });
    expect((requested[0] as CreateWebhookRequest).properties).toEqual({
      url: 'https://hooks.example.net/',
      description: '',
      source: 'TEST',
      filter: { types: [], operations: [], maintainers: [], within: [], key: '' },
      payload: WebhookPayload.WEBHOOK_PAYLOAD_KEYS,
      signature: WebhookSignature.WEBHOOK_SIGNATURE_V1,
      disabled: false,
    });
  });

  it('are looked up, changed and deleted, and get new secrets', async () => {
    expect((await request('GET', path)).json).toEqual({ webhook: shown });
    const changed = { url: 'https://hooks.example.net/b', source: 'TEST', disabled: true };
    expect((await request('PUT', path, changed)).json).toEqual({ webhook: shown });
    expect((await request('POST', `${path}/secret`)).json).toEqual({ webhook: shown });
    expect((await request('DELETE', path)).json).toEqual({});
    expect(requested).toMatchObject([name, { ...name, properties: changed }, name, name]);
  });

  it('show their attempts', async () => {
    expect((await request('GET', `${path}/attempts`)).json).toEqual({
      attempts: [
        { event: 'TEST-4712', serial: 4712, time: '1970-01-01T00:00:00.000Z', milliseconds: 9, error: 'gone' },
        { event: 'TEST-test-1', time: '1970-01-01T00:00:00.000Z', milliseconds: 3, status: 200, response: 'ok' },
      ],
    });
  });

  it.each<[object, ResendWebhookRequest['what']]>([
    [{ serial: 4711 }, { $case: 'serial', value: 4711n }],
    [{ after: 0 }, { $case: 'afterSerial', value: 0n }],
    [{ test: true }, { $case: 'serial', value: 0n }],
  ])('deliver again: %j', async (body, what) => {
    expect((await request('POST', `${path}/deliveries`, body)).status).toBe(200);
    expect(requested).toMatchObject([{ ...name, what }]);
  });

  it.each(['GET', 'PUT', 'DELETE'])('of others are not found: %s', async (method) => {
    const body = method === 'PUT' ? { url: 'https://hooks.example.net/', source: 'TEST' } : undefined;
    expect((await request(method, '/webhooks/other', body)).status).toBe(404);
  });
});

describe('refused are', () => {
  const at: Record<string, string> = { POST: '/webhooks', PUT: path };
  it.each<[string, object | string]>([
    ['no JSON', '{'],
    ['a list', []],
    ['an unknown member', { url: 'https://a.example/', source: 'TEST', secret: 'mine' }],
    ['a number as URL', { url: 1, source: 'TEST' }],
    ['an unknown payload', { payload: 'all' }],
    ['an inherited name as payload', { payload: 'constructor' }],
    ['an unknown signature', { signature: 'v2' }],
    ['a text as filter', { filter: 'route' }],
    ['an unknown part of a filter', { filter: { types: ['route'] } }],
    ['a text as list', { filter: { within: '192.0.2.0/24' } }],
    ['a number in a list', { filter: { operation: [1] } }],
    ['a text as truth', { disabled: 'yes' }],
    ['an order', { ordered: false }],
  ])('%s', async (_what, body) => {
    for (const [method, url] of Object.entries(at)) expect((await request(method, url, body)).status).toBe(400);
    expect(requested).toEqual([]);
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['two wishes', { serial: 1, after: 1 }],
    ['a test and a serial', { serial: 1, test: true }],
    ['no serial', { serial: 0 }],
    ['a negative serial', { after: -1 }],
    ['a part of a serial', { serial: 1.5 }],
    ['a text', { serial: '1' }],
    ['a serial that no number holds', { serial: 2 ** 60 }],
  ])('to deliver %s', async (_what, body) => {
    expect((await request('POST', `${path}/deliveries`, body)).status).toBe(400);
  });

  it('bodies that are large, or no JSON', async () => {
    expect((await request('POST', '/webhooks', { description: 'a'.repeat(20_000) })).status).toBe(413);
    const received = await gateway.send('/webhooks', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'text/plain' },
      body: 'a',
    });
    expect(received.status).toBe(415);
  });

  it.each<[string, Partial<Principal>, number]>([
    [
      'callers without an account',
      { accountId: '', credentials: [CredentialKind.CREDENTIAL_KIND_CLIENT_CERTIFICATE] },
      401,
    ],
    ['bearer tokens', { credentials: [CredentialKind.CREDENTIAL_KIND_BEARER_TOKEN] }, 401],
    ['keys that are limited to a mntner', { maintainers: ['A-MNT'] }, 403],
  ])('%s', async (_what, more, status) => {
    principal = { ...alice, ...more };
    expect((await request('GET', '/webhooks')).status).toBe(status);
    expect((await request('POST', '/webhooks', { url: 'https://a.example/', source: 'TEST' })).status).toBe(status);
    expect(requested).toEqual([]);
  });

  it('anonymous requests, and requests by HTTP', async () => {
    expect((await gateway.send('/webhooks')).status).toBe(401);
    expect((await gateway.send('/webhooks', { headers, secure: false })).status).toBe(426);
  });
});

describe('a registry without webhooks', () => {
  let without: RunningGateway;
  beforeAll(async () => {
    without = await startGateway({
      auth: {
        authenticate: async () => ({
          outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED,
          principal,
          messages: [],
        }),
      },
      webhooks: {
        listWebhooks: async () => {
          throw new ServiceError('unimplemented', 'This registry has no webhooks');
        },
      },
    });
  });
  afterAll(() => without.stop());

  it('says so', async () => {
    expect((await without.send('/webhooks', { headers })).status).toBe(501);
  });
});
