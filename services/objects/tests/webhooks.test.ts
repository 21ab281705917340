import {
  type ClaimedWebhook,
  type WebhookAttempt,
  WebhookPayload,
  type WebhookProperties,
  WebhookServiceService,
  type WebhookSettlement,
  WebhookSignature,
  WebhookState,
} from '@cadastre/proto/objects';
import { inMemoryClient } from '@cadastre/service/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { webhookSecrets } from '../src/domain/webhooks.js';
import { webhookHandlers } from '../src/rpc/webhooks.js';
import { person, put, useContext } from './test-context.js';

const secrets = webhookSecrets('a key of the operator with 32 characters');
const setup = useContext({ webhooks: { secrets, anywhere: false } });
const hooks = () => inMemoryClient(WebhookServiceService, webhookHandlers(setup.context));
const { WEBHOOK_STATE_UNCONFIRMED: unconfirmed, WEBHOOK_STATE_ACTIVE: active } = WebhookState;
const { WEBHOOK_STATE_DISABLED: disabled } = WebhookState;
const hourMs = 3_600_000;
const alice = { accountId: 'alice', accountName: 'alice@example.net' };

beforeEach(() => setup.context.writePool.query('truncate webhook cascade'));

function properties(more: Partial<WebhookProperties> = {}): WebhookProperties {
  return {
    url: 'https://hooks.example.net/a',
    description: 'a test',
    source: 'TEST',
    filter: { types: ['person'], operations: [], maintainers: [], within: [], key: '' },
    payload: WebhookPayload.WEBHOOK_PAYLOAD_TEXT,
    signature: WebhookSignature.WEBHOOK_SIGNATURE_V1,
    disabled: false,
    ...more,
  };
}

async function create(more: Partial<WebhookProperties> = {}) {
  const { webhook, secret } = await hooks().createWebhook({ ...alice, properties: properties(more) });
  return { ...webhook!, secret };
}

async function claim(leaseSeconds = 60): Promise<ClaimedWebhook[]> {
  return (await hooks().claimWebhooks({ limit: 0, leaseSeconds })).webhooks;
}

/** Settles a claim; a failure needs `failures`. Returns whether the claim was valid. */
async function settle({ webhook, claim: number }: ClaimedWebhook, more: Partial<WebhookSettlement> = {}) {
  const { id, serial, failures } = webhook!;
  const nothing = { attempts: [], confirmed: false, gone: false, ownerTold: false };
  const settlement = { id, claim: number, serial, failures, ...nothing, ...more };
  return (await hooks().settleWebhooks({ settlements: [settlement] })).ended.length === 0;
}

const attempt = (more: Partial<WebhookAttempt> = {}) => ({
  id: 0n,
  eventId: 'TEST-1',
  serial: 1n,
  instant: setup.clock.now(),
  status: 200,
  durationMs: 12,
  error: '',
  response: 'ok',
  ...more,
});

/** Creates a webhook whose URL has accepted a test event. */
async function createActive(more: Partial<WebhookProperties> = {}) {
  const created = await create(more);
  const [claimed] = await claim();
  await settle(claimed!, { confirmed: true, releaseSeconds: 0 });
  return created;
}

const change = () => put(setup.context, person('AA1-TEST', `Name ${Math.random()}`.replace(/\d/g, 'x')));

test('a webhook has the properties that it was given, and begins with the next change', async () => {
  const serial = await change();
  const { id, secret, ...created } = await create();
  expect(created).toMatchObject({ properties: properties(), state: unconfirmed, serial, failures: 0, publicKey: '' });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(id).toMatch(/^[A-Za-z0-9]{24}$/);
  expect((await hooks().getWebhook({ id, accountId: 'alice' })).webhook).toMatchObject(created);
  expect((await hooks().listWebhooks({ accountId: 'alice' })).webhooks.map((one) => one.id)).toEqual([id]);
});

test('the database has no secret, and another operator key makes other secrets', async () => {
  const { id, secret } = await create();
  const { rows } = await setup.context.readPool.query('select w::text as row from webhook w');
  expect(rows[0].row).not.toContain(secret.slice('whsec_'.length));
  const other = webhookSecrets('another key of the operator, with 32 characters');
  expect(other.of({ id, signature: 'v1' }, 1)).not.toEqual(secrets.of({ id, signature: 'v1' }, 1));
});

test.each<[string, Partial<WebhookProperties>]>([
  ['http', { url: 'http://hooks.example.net/' }],
  ['another port', { url: 'https://hooks.example.net:25/' }],
  ['a user', { url: 'https://user@hooks.example.net/' }],
  ['a fragment', { url: 'https://hooks.example.net/#a' }],
  ['no URL', { url: 'hooks.example.net' }],
  ['a control character in the URL', { url: 'https://hooks.example.net/\0' }],
  ['a control character in the filter', { filter: { ...properties().filter!, key: 'A\0' } }],
  ['a control character in the description', { description: 'a\0' }],
  ['a long URL', { url: `https://hooks.example.net/${'a'.repeat(2_000)}` }],
  ['loopback', { url: 'https://127.0.0.1/' }],
  ['loopback as a number', { url: 'https://2130706433/' }],
  ['loopback in octal digits', { url: 'https://0177.0.0.1/' }],
  ['loopback, shortened', { url: 'https://127.1/' }],
  ['metadata of clouds', { url: 'https://169.254.169.254/latest' }],
  ['an IPv4-mapped address', { url: 'https://[::ffff:127.0.0.1]/' }],
  ['NAT64', { url: 'https://[64:ff9b::a9fe:a9fe]/' }],
  ['6to4', { url: 'https://[2002:7f00:1::]/' }],
  ['an unknown source', { source: 'NOWHERE' }],
  ['a long description', { description: 'a'.repeat(201) }],
  ['an unknown type', { filter: { types: ['thing'], operations: [], maintainers: [], within: [], key: '' } }],
  ['no addresses', { filter: { types: [], operations: [], maintainers: [], within: ['here'], key: '' } }],
  ['a large filter', { filter: { types: [], operations: [], maintainers: [], within: [], key: 'a'.repeat(5_000) } }],
])('refuses %s', async (_what, wrong) => {
  await expect(create(wrong)).rejects.toMatchObject({ kind: 'invalid' });
});

test('an account has at most 20 webhooks, also when it creates them together', async () => {
  const made = await Promise.allSettled(Array.from({ length: 25 }, () => create()));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  await expect(create()).rejects.toMatchObject({ kind: 'exhausted' });
});

test('another account meets no webhook; the operator meets all', async () => {
  const { id } = await create();
  const name = { id, accountId: 'bob' };
  for (const call of [
    () => hooks().getWebhook(name),
    () => hooks().updateWebhook({ ...name, properties: properties() }),
    () => hooks().deleteWebhook(name),
    () => hooks().rotateWebhookSecret(name),
    () => hooks().listWebhookAttempts(name),
    () => hooks().resendWebhook({ ...name, what: { $case: 'serial', value: 0n } }),
  ]) {
    await expect(call()).rejects.toMatchObject({ kind: 'not-found' });
  }
  expect((await hooks().listWebhooks({ accountId: 'bob' })).webhooks).toEqual([]);
  await expect(hooks().listWebhooks({ accountId: '' })).rejects.toMatchObject({ kind: 'invalid' });
  expect((await hooks().getWebhook({ id, accountId: '' })).webhook?.id).toBe(id);
});

test('without an operator key there are no webhooks', async () => {
  const without = inMemoryClient(WebhookServiceService, webhookHandlers({ ...setup.context, webhooks: undefined }));
  for (const call of [
    () => without.listWebhooks({ accountId: 'alice' }),
    () => without.claimWebhooks({ limit: 1, leaseSeconds: 1 }),
  ]) {
    await expect(call()).rejects.toMatchObject({ kind: 'unimplemented' });
  }
});

describe('claims', () => {
  test('a webhook is claimed to be confirmed, then when its source has changes', async () => {
    const { id } = await create();
    const [first] = await claim();
    expect(first).toMatchObject({
      webhook: { id, state: unconfirmed },
      accountName: 'alice@example.net',
      requested: [],
    });
    expect(await claim()).toEqual([]);
    expect(await settle(first!, { confirmed: true, releaseSeconds: 0 })).toBe(true);
    expect(await claim()).toEqual([]);
    const serial = await change();
    const [second] = await claim();
    expect(second).toMatchObject({ webhook: { state: active } });
    await settle(second!, { serial, releaseSeconds: 0 });
    expect(await claim()).toEqual([]);
  });

  test('a claim ends with its lease, and a late settlement changes nothing', async () => {
    await create();
    const [late] = await claim(60);
    setup.clock.advance(61_000);
    const [next] = await claim(60);
    expect(next?.claim).toBe(late!.claim + 1);
    expect(await settle(late!, { confirmed: true })).toBe(false);
    expect(await settle(next!)).toBe(true);
  });

  test('replicas get different webhooks', async () => {
    const ids = await Promise.all([create(), create(), create(), create()]);
    const claims = await Promise.all([1, 2, 3, 4].map(() => hooks().claimWebhooks({ limit: 1, leaseSeconds: 60 })));
    const claimed = claims.flatMap(({ webhooks }) => webhooks.map(({ webhook }) => webhook!.id));
    expect(new Set(claimed).size).toBe(claimed.length);
    const rest = (await claim()).map(({ webhook }) => webhook!.id);
    expect([...claimed, ...rest].sort()).toEqual(ids.map(({ id }) => id).sort());
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['changes it', (id) => hooks().updateWebhook({ id, accountId: 'alice', properties: properties() })],
    ['deletes it', (id) => hooks().deleteWebhook({ id, accountId: 'alice' })],
    ['rotates its secret', (id) => hooks().rotateWebhookSecret({ id, accountId: 'alice' })],
    ['goes back', (id) => hooks().resendWebhook({ id, accountId: 'alice', what: { $case: 'afterSerial', value: 0n } })],
  ])('a claim ends when the owner %s', async (_what, act) => {
    const { id } = await create();
    const [claimed] = await claim();
    await act(id);
    expect(await settle(claimed!, { confirmed: true })).toBe(false);
  });
});

describe('attempts', () => {
  test('are listed newest first, and the oldest are removed', async () => {
    const { id } = await createActive();
    await change();
    const [claimed] = await claim();
    for (let turn = 1; turn <= 105; turn++) {
      await settle(claimed!, { attempts: [attempt({ eventId: `TEST-${turn}`, error: turn === 105 ? 'a\0b' : '' })] });
    }
    const { attempts } = await hooks().listWebhookAttempts({ id, accountId: 'alice' });
    expect(attempts).toHaveLength(100);
    expect(attempts[0]).toMatchObject({
      eventId: 'TEST-105',
      status: 200,
      durationMs: 12,
      error: 'a b',
      response: 'ok',
    });
    expect(attempts.at(-1)?.eventId).toBe('TEST-6');
    const { rows } = await setup.context.readPool.query('select count(*)::integer as count from webhook_attempt');
    expect(rows[0].count).toBe(100);
  });

  test('that fail put the next one off; a success forgets them', async () => {
    const { id } = await createActive();
    await change();
    const [claimed] = await claim();
    await settle(claimed!, {
      failures: 1,
      releaseSeconds: 300,
      attempts: [attempt({ status: 500, error: 'status 500' })],
    });
    const failed = (await hooks().getWebhook({ id, accountId: '' })).webhook!;
    const due = new Date(setup.clock.now().getTime() + 300_000);
    expect(failed).toMatchObject({ failures: 1, failingSince: setup.clock.now(), due });
    expect(await claim()).toEqual([]);
    setup.clock.advance(300_000);
    const [again] = await claim();
    await settle(again!, { failures: 0, releaseSeconds: 0, attempts: [attempt()] });
    const { webhook } = await hooks().getWebhook({ id, accountId: '' });
    expect(webhook).toMatchObject({ failures: 0, failingSince: undefined, due: undefined });
  });

  test('that fail for five days disable the webhook, and its owner is told once', async () => {
    const { id } = await createActive();
    await change();
    for (let hours = 0; hours <= 5 * 24 + 1; hours += 11) {
      const [claimed] = await claim();
      expect(claimed?.webhook?.state).toBe(active);
      await settle(claimed!, { failures: 1, releaseSeconds: 0, attempts: [attempt({ error: 'status 500' })] });
      setup.clock.advance(11 * hourMs);
    }
    const [last] = await claim();
    await settle(last!, { failures: 1, releaseSeconds: 0, attempts: [attempt({ error: 'status 500' })] });
    const { webhook } = await hooks().getWebhook({ id, accountId: '' });
    expect(webhook).toMatchObject({ state: disabled, reason: 'Every attempt has failed for 5 days.' });
    const [sendable] = await claim();
    expect(sendable).toMatchObject({ tellOwner: true, webhook: { id } });
    await settle(sendable!, { ownerTold: true, releaseSeconds: 0 });
    expect(await claim()).toEqual([]);
    await hooks().updateWebhook({ id, accountId: 'alice', properties: properties() });
    expect((await claim())[0]?.webhook).toMatchObject({ state: unconfirmed, failures: 0, failingSince: undefined });
  });

  test('that meet status 410 disable the webhook', async () => {
    const { id } = await createActive();
    await change();
    const [claimed] = await claim();
    await settle(claimed!, { failures: 1, gone: true, releaseSeconds: 0 });
    const { webhook } = await hooks().getWebhook({ id, accountId: '' });
    expect(webhook).toMatchObject({ state: disabled, reason: expect.stringContaining('410') });
  });
});

test('attempts of which some are accepted do not count as a URL that fails', async () => {
  const { id } = await createActive();
  await change();
  const [claimed] = await claim();
  await settle(claimed!, { failures: 1, attempts: [attempt({ error: 'a' })] });
  const failing = async () => (await hooks().getWebhook({ id, accountId: '' })).webhook?.failingSince;
  expect(await failing()).toBeDefined();
  await settle(claimed!, { attempts: [attempt({ error: 'a' }), attempt()] });
  expect(await failing()).toBeUndefined();
  expect((await hooks().listWebhookAttempts({ id, accountId: '' })).attempts).toHaveLength(3);
});

test('the attempts in a settlement are bounded', async () => {
  await createActive();
  await change();
  const [claimed] = await claim();
  const attempts = Array.from({ length: 101 }, () => attempt());
  await expect(settle(claimed!, { attempts })).rejects.toMatchObject({ kind: 'invalid' });
});

describe('the operator', () => {
  test('lists the webhooks of all accounts, page by page', async () => {
    const made = [await create(), await create(), await create()].map(({ id }) => id).sort();
    const first = await hooks().listAllWebhooks({ after: '', limit: 2 });
    const second = await hooks().listAllWebhooks({ after: first.next, limit: 2 });
    expect([...first.webhooks, ...second.webhooks].map(({ webhook }) => webhook?.id)).toEqual(made);
    expect(first.webhooks[0]?.accountName).toBe('alice@example.net');
    expect(second.next).toBe('');
  });

  test('disables a webhook; its owner is told', async () => {
    const { id } = await createActive();
    await hooks().updateWebhook({ id, accountId: '', properties: properties({ disabled: true }) });
    const [sendable] = await claim();
    expect(sendable).toMatchObject({
      tellOwner: true,
      webhook: { state: disabled, reason: 'The operator has disabled it.' },
    });
    await settle(sendable!, { ownerTold: true, releaseSeconds: 0 });
    await hooks().updateWebhook({ id, accountId: '', properties: properties({ disabled: true }) });
    expect(await claim()).toEqual([]);
  });

  test('disables a webhook; its owner cannot undo it, the operator can', async () => {
    const { id, properties: own } = await createActive();
    const { accountId } = alice;
    const other = await create({ url: 'https://other.example.net/hook' });
    await hooks().updateWebhook({ id, accountId: '', properties: { ...own!, disabled: true } });
    const sameHost = `${new URL(own!.url).origin}/another`;
    for (const attempt of [
      () => hooks().updateWebhook({ id, accountId, properties: { ...own!, disabled: false } }),
      () => hooks().updateWebhook({ id, accountId, properties: { ...own!, disabled: true } }),
      () => hooks().updateWebhook({ id, accountId, properties: { ...own!, url: 'https://third.example.net/hook' } }),
      () => hooks().deleteWebhook({ id, accountId }),
      () => create({ url: sameHost }),
      () => hooks().updateWebhook({ id: other.id, accountId, properties: { ...other.properties!, url: sameHost } }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ kind: 'conflict' });
    }
    const state = async () => (await hooks().getWebhook({ id, accountId })).webhook?.reason;
    expect(await state()).toBe('The operator has disabled it.');
    await hooks().updateWebhook({ id, accountId: '', properties: { ...own!, disabled: false } });
    expect(await state()).toBe('');
    await hooks().deleteWebhook({ id, accountId });
  });
});

test.each([
  WebhookPayload.WEBHOOK_PAYLOAD_KEYS,
  WebhookPayload.WEBHOOK_PAYLOAD_TEXT,
  WebhookPayload.WEBHOOK_PAYLOAD_OBJECT,
])('stores the payload %d', async (payload) => {
  expect((await create({ payload })).properties?.payload).toBe(payload);
});

test('an attempt of which nothing can be stored as it is fails no settlement of others', async () => {
  await create();
  await create();
  const claimed = await claim();
  const strange = attempt({ error: `${'a'.repeat(299)}\u{1f600}`, response: '\0\u001b\ud800', status: 4_000_000 });
  const settlements = claimed.map(({ webhook, claim: number }, at) => ({
    ...{ id: webhook!.id, claim: number, serial: webhook!.serial, failures: 0 },
    ...{
      confirmed: true,
      gone: false,
      ownerTold: false,
      attempts: [at === 0 ? strange : attempt()],
    },
  }));
  expect((await hooks().settleWebhooks({ settlements })).ended).toEqual([]);
});

describe('the owner', () => {
  test('asks for changes again, and for a test event, also of a disabled webhook', async () => {
    const { id } = await create({ disabled: true });
    const serial = await change();
    const name = { id, accountId: 'alice' };
    await hooks().resendWebhook({ ...name, what: { $case: 'serial', value: serial } });
    await hooks().resendWebhook({ ...name, what: { $case: 'serial', value: 0n } });
    const [claimed] = await claim();
    expect(claimed?.requested).toEqual([serial, 0n]);
    await settle(claimed!, { requested: serial, attempts: [attempt()] });
    await settle(claimed!, { requested: 0n, attempts: [attempt()], releaseSeconds: 0 });
    expect(await claim()).toEqual([]);
  });

  test('asks for at most 20 single deliveries, and for no change of the future', async () => {
    const { id } = await create();
    for (let turn = 0; turn < 25; turn++) await change();
    const ask = (value: bigint) => hooks().resendWebhook({ id, accountId: 'alice', what: { $case: 'serial', value } });
    for (let serial = 1n; serial <= 20n; serial++) await ask(serial);
    await ask(20n);
    await expect(ask(21n)).rejects.toMatchObject({ kind: 'exhausted' });
    await expect(ask(2n ** 40n)).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('goes back to a serial; so far it asks for changes however old they are', async () => {
    const { id } = await createActive();
    const serial = await change();
    await hooks().resendWebhook({ id, accountId: 'alice', what: { $case: 'afterSerial', value: serial - 1n } });
    expect((await claim())[0]).toMatchObject({ webhook: { serial: serial - 1n }, askedTo: serial });
  });

  test('rotates the secret: both sign for a day', async () => {
    const { id, secret } = await create();
    const rotated = await hooks().rotateWebhookSecret({ id, accountId: 'alice' });
    expect(rotated.secret).not.toBe(secret);
    const shown = async () => (await claim(1))[0]!.secrets.map((one) => `whsec_${Buffer.from(one).toString('base64')}`);
    expect(await shown()).toEqual([rotated.secret, secret]);
    setup.clock.advance(24 * hourMs);
    expect(await shown()).toEqual([rotated.secret]);
  });

  test('has a public key instead of a secret with v1a', async () => {
    const created = await create({ signature: WebhookSignature.WEBHOOK_SIGNATURE_V1A });
    expect(created).toMatchObject({ secret: '', publicKey: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/) });
    const rotated = await hooks().rotateWebhookSecret({ id: created.id, accountId: 'alice' });
    expect(rotated.webhook?.publicKey).not.toBe(created.publicKey);
  });

  test('confirms a changed URL again, and changes neither source nor signature', async () => {
    const { id } = await createActive();
    const change = (more: Partial<WebhookProperties>) =>
      hooks().updateWebhook({ id, accountId: 'alice', properties: properties(more) });
    expect((await change({ description: 'other' })).webhook?.state).toBe(active);
    expect((await change({ url: 'https://hooks.example.net/b' })).webhook?.state).toBe(unconfirmed);
    for (const more of [{ source: 'EXAMPLE-GRS' }, { signature: WebhookSignature.WEBHOOK_SIGNATURE_V1A }]) {
      await expect(change(more)).rejects.toMatchObject({ kind: 'invalid' });
    }
  });
});
