import {
  type ResendWebhookRequest,
  type UpdateWebhookRequest,
  type Webhook,
  WebhookPayload,
  WebhookServiceService,
  WebhookSignature,
  WebhookState,
} from '@cadastre/proto/objects';
import { ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cadastre, fake, startFakeRegistry } from './fake-registry.js';

const webhook: Webhook = {
  id: 'W1',
  properties: {
    url: 'https://hooks.example.net/a',
    description: '',
    source: 'TEST',
    filter: { types: ['route', 'route6'], operations: [], maintainers: ['A-MNT'], within: [], key: '' },
    payload: WebhookPayload.WEBHOOK_PAYLOAD_OBJECT,
    signature: WebhookSignature.WEBHOOK_SIGNATURE_V1A,
    disabled: false,
  },
  state: WebhookState.WEBHOOK_STATE_ACTIVE,
  reason: '',
  created: new Date('2026-01-02T03:04:05Z'),
  serial: 4711n,
  failures: 2,
  failingSince: new Date('2026-01-03T00:00:00Z'),
  due: new Date('2026-01-03T00:05:00Z'),
  publicKey: 'whpk_AAAA',
};
const off = { ...webhook, id: 'W2', state: WebhookState.WEBHOOK_STATE_DISABLED, reason: 'Its owner has disabled it.' };
const resent: ResendWebhookRequest[] = [];
const updated: UpdateWebhookRequest[] = [];
let registry: Awaited<ReturnType<typeof startFakeRegistry>>;

beforeAll(async () => {
  registry = await startFakeRegistry([
    fake(WebhookServiceService, {
      listAllWebhooks: async ({ after }) => ({
        webhooks: [{ webhook: after === '' ? webhook : off, accountName: 'alice@example.net' }],
        next: after === '' ? 'W1' : '',
      }),
      getWebhook: async ({ id, accountId }) => {
        if (id !== 'W1' || accountId !== '') throw new ServiceError('not-found', 'There is no such webhook');
        return { webhook };
      },
      listWebhookAttempts: async () => ({
        attempts: [
          {
            ...{ id: 1n, eventId: 'TEST-4712', serial: 4712n, instant: new Date('2026-01-03T00:00:00Z') },
            ...{ status: 500, durationMs: 12, error: 'status 500', response: 'no\u001b[31m' },
          },
        ],
      }),
      resendWebhook: async (request) => {
        resent.push(request);
        return { webhook };
      },
      updateWebhook: async (request) => {
        updated.push(request);
        return { webhook: request.properties?.disabled ? off : webhook };
      },
    }),
  ]);
});
afterAll(() => registry.stop());
beforeEach(() => {
  resent.length = 0;
  updated.length = 0;
});

const run = (...args: string[]) => cadastre(['webhooks', ...args], registry.env);

test('list shows the webhooks of all accounts, or those in a state', async () => {
  const { stdout } = await run('list');
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['ID', 'ACCOUNT', 'STATE', 'SOURCE', 'SERIAL', 'FAILURES', 'URL'],
    ['W1', 'alice@example.net', 'active', 'TEST', '4711', '2', 'https://hooks.example.net/a'],
    ['W2', 'alice@example.net', 'disabled', 'TEST', '4711', '2', 'https://hooks.example.net/a'],
    [''],
  ]);
  const filtered = JSON.parse((await run('list', '--state', 'disabled', '--json')).stdout);
  expect(filtered).toMatchObject([{ id: 'W2', serial: 4711, state: 'disabled' }]);
  const first = JSON.parse((await run('list', '--limit', '1', '--json')).stdout);
  expect(first).toMatchObject([{ id: 'W1' }]);
  expect(JSON.parse((await run('list', '--limit', '1', '--state', 'disabled', '--json')).stdout)).toEqual(filtered);
});

test('show has the properties and how far the webhook is; unknown ones fail', async () => {
  const { stdout } = await run('show', 'W1');
  expect(stdout).toBe(`id:            W1
url:           https://hooks.example.net/a
source:        TEST
types:         route, route6
maintainers:   A-MNT
payload:       object
signature:     v1a
state:         active
created:       2026-01-02T03:04:05Z
serial:        4711
failures:      2
failing since: 2026-01-03T00:00:00Z
next attempt:  2026-01-03T00:05:00Z
public key:    whpk_AAAA
`);
  expect(await run('show', 'W9')).toMatchObject({ code: 2, stderr: 'cadastre: There is no such webhook\n' });
});

test('show --json has the same, with the names of the list', async () => {
  const { code, stdout } = await run('show', 'W1', '--json');
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    {
      ...{ id: 'W1', url: 'https://hooks.example.net/a', description: null, source: 'TEST' },
      ...{ types: ['route', 'route6'], operations: [], maintainers: ['A-MNT'], within: [], key: null },
      ...{ payload: 'object', signature: 'v1a', state: 'active', reason: null },
      ...{ created: '2026-01-02T03:04:05.000Z', serial: 4711, failures: 2, publicKey: 'whpk_AAAA' },
      ...{ failingSince: '2026-01-03T00:00:00.000Z', nextAttempt: '2026-01-03T00:05:00.000Z' },
    },
  ]);
});

test('attempts lists what happened, without what a terminal would obey', async () => {
  const { stdout } = await run('attempts', 'W1');
  expect(stdout).toContain('TEST-4712  2026-01-03T00:00:00Z  500     12  status 500  no\\x1b[31m');
});

test.each<[string[], ResendWebhookRequest['what']]>([
  [['test', 'W1'], { $case: 'serial', value: 0n }],
  [['resend', 'W1', '--serial', '4711'], { $case: 'serial', value: 4711n }],
  [['resend', 'W1', '--after', '0'], { $case: 'afterSerial', value: 0n }],
])('%j asks for deliveries', async (args, what) => {
  expect(await run(...args)).toMatchObject({ code: 0, stdout: expect.stringContaining('webhooks attempts W1') });
  expect(resent).toEqual([{ id: 'W1', accountId: '', what }]);
});

test.each([
  [['resend', 'W1']],
  [['resend', 'W1', '--serial', '0']],
  [['resend', 'W1', '--serial', 'x']],
  [['resend', 'W1', '--serial', '1', '--after', '1']],
])('%j is refused', async (args) => {
  expect((await run(...args)).code).toBe(2);
  expect(resent).toEqual([]);
});

test.each([
  ['disable', true, 'W1 is disabled\n'],
  ['enable', false, 'W1 is active\n'],
])('%s keeps the other properties', async (command, disabled, stdout) => {
  expect(await run(command, 'W1')).toMatchObject({ code: 0, stdout });
  expect(updated).toEqual([{ id: 'W1', accountId: '', properties: { ...webhook.properties, disabled } }]);
});
