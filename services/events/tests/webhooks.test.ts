import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Duplex, Readable } from 'node:stream';
import {
  ChangeKind,
  type WebhookAttempt,
  WebhookPayload,
  WebhookSignature,
  WebhookState,
} from '@cadastre/proto/objects';
import type { RegistryObject } from '@cadastre/proto/registry';
import { readSettings, ServiceError } from '@cadastre/service';
import { createAuthority, type ForwardProxy, startForwardProxy, testLogger } from '@cadastre/service/testing';
import { verifyAsync } from '@noble/ed25519';
import { type CloudEvent, HTTP } from 'cloudevents';
import { type Answer, decode, encode } from 'dns-packet';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEventsService, type EventsOverrides } from '../src/service.js';
import { eventsSettings } from '../src/settings.js';
import { startMailSink } from './mail-sink.js';
import { secret, type WebhookRegistry, webhookRegistry } from './webhooks.fixture.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects.
  readonly event: any;
}

type Respond = (response: ServerResponse, delivery: Delivery) => void;
const accept: Respond = (response) => response.writeHead(204).end();

/** A receiver on this machine. */
/** The id of an event without the mark of its time. */
function withoutMark(id: string): string {
  return id.replace(/-[0-9a-z]{6}$/, '');
}

async function receiver(respond: Respond = accept) {
  const deliveries: Delivery[] = [];
  const it = {
    ...{ deliveries, respond, url: '', ids: () => deliveries.map(({ event }) => withoutMark(event.id as string)) },
    hangUp: () => server.closeAllConnections(),
  };
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const delivery = { headers: request.headers, body, event: JSON.parse(body) };
      deliveries.push(delivery);
      it.respond(response, delivery);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  it.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return it;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}

/** Runs the service on a registry in memory. */
async function run(
  registry: WebhookRegistry,
  more: Record<string, string> = {},
  reach: NonNullable<EventsOverrides['reach']> = {},
) {
  const settings = readSettings(eventsSettings, {
    CADASTRE_LISTEN: '127.0.0.1:0',
    CADASTRE_OBJECTS_ADDRESS: '127.0.0.1:9',
    CADASTRE_BASE_URL: 'https://r.example/',
    CADASTRE_WEBHOOKS: 'true',
    CADASTRE_WEBHOOKS_ANYWHERE: 'true',
    ...more,
  });
  const service = await createEventsService(settings, {
    logger: testLogger(),
    objects: registry,
    pollMs: 5,
    now: registry.now,
    reach,
  });
  await service.start();
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= service.stop());
  cleanups.push(stop);
  return { stop };
}

const { WEBHOOK_STATE_UNCONFIRMED: unconfirmed, WEBHOOK_STATE_DISABLED: disabled } = WebhookState;
const { WEBHOOK_STATE_ACTIVE: active } = WebhookState;

test('an event is a CloudEvent with the data of a change stream, signed for libraries of Standard Webhooks', async () => {
  const registry = webhookRegistry();
  const { url, deliveries } = await receiver();
  registry.add({ url });
  registry.change({ key: '192.0.2.0/24AS64500', revision: 3 });
  await run(registry);
  await expect.poll(() => deliveries.length).toBe(1);
  const [{ headers, body, event }] = deliveries as [Delivery];
  const time = `${registry.now().toISOString().slice(0, 19)}Z`;
  const id = `TEST-1-${(Date.parse(time) / 1000).toString(36)}`;
  expect(new Webhook(`whsec_${secret.toString('base64')}`).verify(body, headers as Record<string, string>)).toEqual(
    event,
  );
  expect(headers).toMatchObject({
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'webhook-id': id,
    'user-agent': expect.stringMatching(/^cadastre-events\/\d/),
  });
  expect(event).toEqual({
    specversion: '1.0',
    id,
    source: 'https://r.example/TEST',
    type: 'example.r.object.modified',
    subject: 'route/192.0.2.0/24AS64500',
    time,
    datacontenttype: 'application/json',
    serial: 1,
    revision: 3,
    data: {
      serial: 1,
      operation: 'modified',
      type: 'route',
      key: '192.0.2.0/24AS64500',
      revision: 3,
      time,
      link: 'https://r.example/TEST/route/192.0.2.0%2F24AS64500',
    },
  });
  const read = HTTP.toEvent({ headers, body }) as CloudEvent;
  expect(read.validate()).toBe(true);
  expect(read).toMatchObject({ id, serial: 1, revision: 3, data: event.data });
});

test('a change of tags has a type of its own', async () => {
  const registry = webhookRegistry();
  const { url, deliveries } = await receiver();
  registry.add({ url });
  registry.change({ kind: ChangeKind.CHANGE_KIND_TAGS, key: '192.0.2.0/24AS64500' });
  await run(registry);
  await expect.poll(() => deliveries.length).toBe(1);
  expect(deliveries[0]!.event).toMatchObject({ type: 'example.r.tags.changed', data: { operation: 'modified' } });
});

test('with v1a an event has a signature that the public key verifies', async () => {
  const registry = webhookRegistry();
  const { url, deliveries } = await receiver();
  registry.add({ url, signature: WebhookSignature.WEBHOOK_SIGNATURE_V1A });
  registry.change({});
  await run(registry);
  await expect.poll(() => deliveries.length).toBe(1);
  const { headers, body } = deliveries[0]!;
  // The public key of the seed of 32 octets 01.
  const key = Buffer.from('8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c', 'hex');
  const signature = Buffer.from(String(headers['webhook-signature']).replace(/^v1a,/, ''), 'base64');
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  expect(await verifyAsync(signature, signed, key)).toBe(true);
  expect(await verifyAsync(signature, Buffer.concat([signed, Buffer.from(' ')]), key)).toBe(false);
});

test('a filter drops changes; the webhook continues after them', async () => {
  const registry = webhookRegistry();
  const { url, ids } = await receiver();
  const filter = { types: ['route'], operations: ['deleted'], maintainers: [], within: ['192.0.2.0/24'], key: '' };
  const id = registry.add({ url, filter });
  const deleted = { kind: ChangeKind.CHANGE_KIND_DELETED };
  registry.change({ type: 'person', key: 'A', ...deleted }, {}, deleted, { ...deleted, key: '198.51.100.0/24AS1' });
  const { stop } = await run(registry);
  await expect.poll(ids).toEqual(['TEST-3']);
  await stop();
  expect(registry.get(id).webhook?.serial).toBe(4n);
});

test('the addresses of a filter catch creations, modifications and deletions', async () => {
  const registry = webhookRegistry();
  const { url, deliveries } = await receiver();
  const filter = { types: [], operations: [], maintainers: [], within: ['192.0.2.0/24'], key: '' };
  registry.add({ url, filter });
  const inside = { type: 'inetnum', key: '192.0.2.0 - 192.0.2.127' };
  const kinds = [ChangeKind.CHANGE_KIND_CREATED, ChangeKind.CHANGE_KIND_MODIFIED, ChangeKind.CHANGE_KIND_DELETED];
  registry.change(...kinds.map((kind) => ({ ...inside, kind })));
  registry.change(...kinds.map((kind) => ({ type: 'inetnum', key: '192.0.2.0 - 192.0.3.255', kind })));
  registry.change({ ...inside, kind: ChangeKind.CHANGE_KIND_TAGS });
  await run(registry);
  await expect.poll(() => deliveries.length).toBe(4);
  const types = ['object.created', 'object.modified', 'object.deleted', 'tags.changed'];
  expect(deliveries.map(({ event }) => event.type)).toEqual(types.map((type) => `example.r.${type}`));
});

describe('the text of an object', () => {
  const shown = (type: string, key: string, more: Partial<RegistryObject> = {}): RegistryObject => {
    const text = `${type}: ${key}\n${more.text ?? ''}source: TEST # Filtered\n`;
    return { source: 'TEST', type, key, revision: 2, serial: 1n, contacts: [], tags: [], ...more, text };
  };

  test.each<[string, RegistryObject, string | undefined]>([
    ['is that of a filtered lookup', shown('mntner', 'A-MNT'), 'mntner: A-MNT\nsource: TEST # Filtered\n'],
    ['is left out when the object has changed again', shown('mntner', 'A-MNT', { revision: 3 }), undefined],
    ['is left out for a person', shown('person', 'AA1-TEST'), undefined],
    ['is left out for a role that is no abuse contact', shown('role', 'AB1-TEST'), undefined],
    ['is left out when it is long', shown('mntner', 'A-MNT', { text: 'remarks: a\n'.repeat(7_000) }), undefined],
  ])('%s', async (_what, object, text) => {
    const registry = webhookRegistry();
    const { url, deliveries } = await receiver();
    registry.objects.set(object.key, object);
    registry.add({ url, payload: WebhookPayload.WEBHOOK_PAYLOAD_TEXT });
    registry.change({ type: object.type, key: object.key });
    await run(registry);
    await expect.poll(() => deliveries.length).toBe(1);
    expect(deliveries[0]!.event.data.text).toBe(text);
  });

  test.each<[string, RegistryObject]>([
    ['has changed again', shown('mntner', 'A-MNT', { revision: 3 })],
    ['is a person', shown('person', 'AA1-TEST')],
    ['is a role that is no abuse contact', shown('role', 'AB1-TEST')],
    ['is large', shown('mntner', 'A-MNT', { text: 'remarks: a\n'.repeat(7_000) })],
  ])('is left out as JSON too when it %s', async (_what, object) => {
    const registry = webhookRegistry();
    const { url, deliveries } = await receiver();
    registry.objects.set(object.key, object);
    registry.add({ url, payload: WebhookPayload.WEBHOOK_PAYLOAD_OBJECT });
    registry.change({ type: object.type, key: object.key });
    await run(registry);
    await expect.poll(() => deliveries.length).toBe(1);
    expect(deliveries[0]!.event.data).not.toHaveProperty('object');
  });

  test('is JSON of the REST interface, if the webhook wants that', async () => {
    const registry = webhookRegistry();
    const { url, deliveries } = await receiver();
    const text = 'org: ORG-A1-TEST\n';
    registry.objects.set('A-MNT', shown('mntner', 'A-MNT', { text, tags: [{ id: 'reviewed', data: '' }] }));
    registry.add({ url, payload: WebhookPayload.WEBHOOK_PAYLOAD_OBJECT });
    registry.change({ type: 'mntner', key: 'A-MNT' });
    await run(registry);
    await expect.poll(() => deliveries.length).toBe(1);
    const locator = (path: string) => ({ type: 'locator', href: `https://r.example/test/${path}` });
    expect(deliveries[0]!.event.data).toMatchObject({
      link: 'https://r.example/TEST/mntner/A-MNT',
      object: {
        type: 'mntner',
        link: locator('mntner/A-MNT'),
        source: { id: 'test' },
        'primary-key': { attribute: [{ name: 'mntner', value: 'A-MNT' }] },
        attributes: {
          attribute: [
            { name: 'mntner', value: 'A-MNT' },
            {
              name: 'org',
              value: 'ORG-A1-TEST',
              'referenced-type': 'organisation',
              link: locator('organisation/ORG-A1-TEST'),
            },
            { name: 'source', value: 'TEST', comment: 'Filtered' },
          ],
        },
        tags: { tag: [{ id: 'reviewed' }] },
      },
    });
  });
});

test('events come in the order of serials, each settled before the next', async () => {
  const registry = webhookRegistry();
  const { url, ids } = await receiver();
  registry.add({ url });
  registry.change(...Array.from({ length: 600 }, () => ({})));
  await run(registry);
  await expect.poll(() => ids().length).toBe(600);
  registry.change({}, {});
  await expect.poll(() => ids().length).toBe(602);
  expect(ids()).toEqual(Array.from({ length: 602 }, (_, at) => `TEST-${at + 1}`));
  const settled = () => registry.settlements.filter(({ attempts }) => attempts.length > 0);
  // The last event is settled after its delivery.
  await expect.poll(() => settled().length).toBe(602);
  expect(settled().map(({ serial }) => Number(serial))).toEqual(Array.from({ length: 602 }, (_, at) => at + 1));
});

test('a receiver that hangs delays no other one', async () => {
  const registry = webhookRegistry();
  const hanging = await receiver(() => {});
  const other = await receiver();
  for (let count = 0; count < 30; count++) registry.add({ url: hanging.url });
  const quick = registry.add({ url: other.url });
  registry.change(...Array.from({ length: 50 }, () => ({})));
  await run(registry, {}, { deadlineMs: 600_000 });
  await expect.poll(() => other.deliveries.length).toBe(50);
  await expect.poll(() => hanging.deliveries.length).toBe(30);
  expect(registry.settlements.every(({ id }) => id === quick)).toBe(true);
  hanging.hangUp();
});

describe('an attempt fails', () => {
  const late = 'no answer within 6 seconds';
  const big = 'x'.repeat(10 * 1024 * 1024);
  test.each<[string, Respond, Partial<WebhookAttempt>]>([
    [
      'by an error',
      (response) => response.writeHead(500).end('sorry'),
      { status: 500, error: 'status 500', response: 'sorry' },
    ],
    [
      'by a redirect, which is not followed',
      (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      { status: 302, error: 'status 302: redirects are not followed' },
    ],
    [
      'without a response',
      (response) => void response.destroy(),
      { status: 0, error: expect.stringContaining('socket hang up') },
    ],
    ['by no response in time', () => {}, { status: 0, error: late }],
    [
      'by a body that does not end in time',
      (response) => void response.writeHead(200).write('slow'),
      { status: 0, error: late },
    ],
    [
      'with a huge body, of which a part is read',
      (response) => response.writeHead(500).end(big),
      { status: 500, response: 'x'.repeat(4_096) },
    ],
  ])('%s', async (_what, respond, expected) => {
    const registry = webhookRegistry();
    const { url, deliveries } = await receiver(respond);
    const id = registry.add({ url });
    registry.change({}, {});
    await run(registry, {}, { deadlineMs: expected.error === late ? 6_000 : 60_000 });
    await expect.poll(() => registry.settlements.length).toBe(1);
    const [settlement] = registry.settlements;
    expect(settlement).toMatchObject({ serial: 0n, failures: 1, gone: false, attempts: [expected] });
    expect(settlement!.releaseSeconds).toBeOneOf([4, 5, 6]);
    expect(deliveries).toHaveLength(1);
    expect(registry.get(id).webhook?.failures).toBe(1);
  });

  test('and comes again with the same id; nothing overtakes it', async () => {
    const registry = webhookRegistry();
    const target = await receiver((response) => response.writeHead(500).end());
    registry.add({ url: target.url });
    registry.change({}, {}, {});
    await run(registry);
    await expect.poll(() => registry.settlements.length).toBe(1);
    registry.advance(6);
    await expect.poll(() => target.deliveries.length).toBe(2);
    target.respond = accept;
    await expect.poll(() => registry.settlements.length).toBe(2);
    registry.advance(360);
    await expect.poll(() => target.ids()).toEqual(['TEST-1', 'TEST-1', 'TEST-1', 'TEST-2', 'TEST-3']);
  });

  test('ten times in 75 hours: then the event is given up', async () => {
    const registry = webhookRegistry();
    const target = await receiver((response, { event }) =>
      response.writeHead(withoutMark(event.id as string) === 'TEST-1' ? 500 : 200).end(),
    );
    registry.add({ url: target.url });
    registry.change({}, {});
    await run(registry);
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 9; attempt++) {
      await expect.poll(() => registry.settlements.length).toBe(attempt);
      const { releaseSeconds = 0 } = registry.settlements.at(-1)!;
      pauses.push(releaseSeconds);
      registry.advance(releaseSeconds);
    }
    expect(pauses.reduce((sum, one) => sum + one)).toBeGreaterThan(75 * 3_600 * 0.8);
    expect(pauses.reduce((sum, one) => sum + one)).toBeLessThan(76 * 3_600 * 1.2);
    await expect.poll(() => target.ids().at(-1)).toBe('TEST-2');
    expect(target.ids()).toEqual([...Array.from({ length: 10 }, () => 'TEST-1'), 'TEST-2']);
  });

  test.each([
    ['429', '120', 120],
    ['503', '7200', 3_600],
    ['503', 'nonsense', undefined],
  ])('with status %s and Retry-After %s: later', async (status, after, seconds) => {
    const registry = webhookRegistry();
    const { url } = await receiver((response) => response.writeHead(Number(status), { 'retry-after': after }).end());
    registry.add({ url });
    registry.change({});
    await run(registry);
    await expect.poll(() => registry.settlements.length).toBe(1);
    const { releaseSeconds } = registry.settlements[0]!;
    if (seconds === undefined) expect(releaseSeconds).toBeLessThan(10);
    else expect(releaseSeconds).toBe(seconds);
  });

  test('with status 410: the receiver wants no more', async () => {
    const registry = webhookRegistry();
    const { url } = await receiver((response) => response.writeHead(410).end());
    registry.add({ url });
    registry.change({});
    await run(registry);
    await expect.poll(() => registry.settlements).toMatchObject([{ gone: true }]);
  });
});

test('a receiver that was down for two hours gets every event of them, in order', async () => {
  const registry = webhookRegistry();
  const target = await receiver((response) => response.writeHead(503).end());
  registry.add({ url: target.url });
  await run(registry);
  for (let minute = 0; minute < 120; minute++) {
    registry.change({}, {});
    registry.advance(60);
  }
  await expect.poll(() => registry.settlements.at(-1)?.failures).toBeGreaterThan(0);
  const failed = target.deliveries.length;
  target.respond = accept;
  registry.advance(3 * 3_600);
  await expect.poll(() => target.ids().slice(failed).length).toBe(240);
  expect(target.ids().slice(failed)).toEqual(Array.from({ length: 240 }, (_, at) => `TEST-${at + 1}`));
});

describe('a new webhook', () => {
  test('gets a test event first, then the changes', async () => {
    const registry = webhookRegistry();
    const { url, ids } = await receiver();
    const id = registry.add({ url }, { state: unconfirmed });
    registry.change({});
    await run(registry);
    await expect.poll(ids).toEqual([expect.stringMatching(/^TEST-test-[0-9a-f-]+$/), 'TEST-1']);
    expect(registry.get(id).webhook?.state).toBe(active);
  });

  test('gets no change before its URL accepted the test event', async () => {
    const registry = webhookRegistry();
    const target = await receiver((response) => response.writeHead(404).end());
    const id = registry.add({ url: target.url }, { state: unconfirmed });
    registry.change({});
    await run(registry);
    for (let attempt = 1; attempt <= 12; attempt++) {
      await expect.poll(() => registry.settlements.length).toBe(attempt);
      registry.advance(registry.settlements.at(-1)!.releaseSeconds ?? 0);
    }
    expect(target.deliveries.every(({ event }) => event.type === 'example.r.webhook.test')).toBe(true);
    target.respond = accept;
    await expect.poll(() => registry.get(id).webhook?.state).toBe(active);
    await expect.poll(() => target.ids().at(-1)).toBe('TEST-1');
  });
});

describe('what its owner requests', () => {
  test('comes once, outside of the order, also while the webhook is disabled', async () => {
    const registry = webhookRegistry();
    registry.change({}, {}, {});
    const target = await receiver((response) => response.writeHead(500).end());
    const id = registry.add({ url: target.url }, { state: disabled }, { requested: [2n, 0n] });
    await run(registry);
    await expect.poll(() => registry.settlements.length).toBe(3);
    expect(target.ids()).toEqual(['TEST-2', expect.stringMatching(/^TEST-test-/)]);
    expect(registry.get(id)).toMatchObject({ requested: [], webhook: { serial: 0n, failures: 0 } });
  });

  test('is recorded when the registry does not have it any more', async () => {
    const registry = webhookRegistry();
    registry.change({}, {}, {});
    registry.remove(2n);
    const { url } = await receiver();
    registry.add({ url }, { state: disabled }, { requested: [1n] });
    await run(registry);
    await expect
      .poll(() => registry.settlements[0]?.attempts[0]?.error)
      .toContain('has no change with this serial any more');
  });
});

describe('changes that the registry no longer has', () => {
  test.each<[string, (registry: WebhookRegistry) => void, number]>([
    ['were removed', (registry) => registry.remove(3n), 5],
    ['were taken back by a restore', (registry) => registry.restore(2n), 2],
  ])('%s: the receiver has to read the objects again', async (_what, lose, newest) => {
    const registry = webhookRegistry();
    const target = await receiver();
    registry.change({}, {}, {}, {}, {});
    const serial = newest === 2 ? 4n : 1n;
    const id = registry.add({ url: target.url }, { serial });
    lose(registry);
    await run(registry);
    await expect.poll(() => target.ids()).toEqual([`TEST-reloaded-${newest}`]);
    expect(target.deliveries[0]!.event).toMatchObject({ type: 'example.r.source.reloaded', data: { serial: newest } });
    registry.change({});
    await expect.poll(() => target.ids().at(-1)).toBe(`TEST-${newest + 1}`);
    await expect.poll(() => registry.get(id).webhook?.serial).toBe(BigInt(newest + 1));
  });
});

test('after a restore no event has an id that another one had', async () => {
  const registry = webhookRegistry();
  const target = await receiver();
  registry.add({ url: target.url });
  registry.change({}, {}, {});
  const { stop } = await run(registry);
  await expect.poll(() => target.ids()).toEqual(['TEST-1', 'TEST-2', 'TEST-3']);
  await stop();
  const lost = registry.add({ url: target.url }, { serial: 1n });
  registry.restore(1n);
  registry.advance(60);
  registry.change({}, {});
  await run(registry);
  await expect.poll(() => registry.get(lost).webhook?.serial).toBe(3n);
  const ids = target.deliveries.filter(({ event }) => Number(event.serial) > 1).map(({ event }) => event.id);
  expect(new Set(ids).size).toBe(4);
});

describe('a webhook that is more than seven days behind', () => {
  const week = 7 * 24 * 3_600;

  test('gets an event to read the objects again, and continues with the newest change', async () => {
    const registry = webhookRegistry();
    const target = await receiver();
    const id = registry.add({ url: target.url });
    registry.change({}, {});
    registry.advance(week + 1);
    registry.change({});
    await run(registry);
    await expect.poll(target.ids).toEqual(['TEST-reloaded-3']);
    registry.change({});
    await expect.poll(target.ids).toEqual(['TEST-reloaded-3', 'TEST-4']);
    await expect.poll(() => registry.get(id).webhook?.serial).toBe(4n);
  });

  test('gets the changes that its owner has requested, however old they are', async () => {
    const registry = webhookRegistry();
    const target = await receiver();
    registry.add({ url: target.url }, {}, { askedTo: 2n });
    registry.change({}, {});
    registry.advance(week + 1);
    await run(registry);
    await expect.poll(target.ids).toEqual(['TEST-1', 'TEST-2']);
  });

  test('gets no such event when the filter drops the old changes', async () => {
    const registry = webhookRegistry();
    const target = await receiver();
    const filter = { types: [], operations: ['deleted'], maintainers: [], within: [], key: '' };
    registry.add({ url: target.url, filter });
    registry.change({}, {});
    registry.advance(week + 1);
    registry.change({ kind: ChangeKind.CHANGE_KIND_DELETED });
    await run(registry);
    await expect.poll(target.ids).toEqual(['TEST-3']);
  });

  test('gets it until its URL accepts it', async () => {
    const registry = webhookRegistry();
    const target = await receiver((response) => response.writeHead(500).end());
    registry.add({ url: target.url });
    registry.change({});
    registry.advance(week + 1);
    await run(registry);
    for (let attempt = 1; attempt <= 12; attempt++) {
      await expect.poll(() => registry.settlements.length).toBe(attempt);
      registry.advance(registry.settlements.at(-1)!.releaseSeconds ?? 0);
    }
    target.respond = accept;
    registry.change({});
    await expect.poll(() => registry.settlements.at(-1)?.failures).toBe(0);
    expect(target.deliveries.every(({ event }) => event.type === 'example.r.source.reloaded')).toBe(true);
  });
});

test('an event whose settlement is lost comes once more after the lease, with the same id', async () => {
  const registry = webhookRegistry();
  const target = await receiver();
  registry.add({ url: target.url });
  registry.change({});
  let lost = 0;
  registry.beforeSettled = () => {
    if (lost++ === 0) throw new ServiceError('invalid', 'lost');
  };
  await run(registry);
  await expect.poll(() => lost).toBe(1);
  registry.advance(60);
  await expect.poll(() => target.ids()).toEqual(['TEST-1', 'TEST-1']);
});

test('a service that stops ends the attempt that it has begun, and sends no other one', async () => {
  const registry = webhookRegistry();
  const responses: ServerResponse[] = [];
  const target = await receiver((response) => void responses.push(response));
  const id = registry.add({ url: target.url });
  registry.change({}, {}, {});
  const { stop } = await run(registry);
  await expect.poll(() => responses.length).toBe(1);
  const stopped = stop();
  accept(responses[0]!, target.deliveries[0]!);
  await stopped;
  expect(target.ids()).toEqual(['TEST-1']);
  expect(registry.get(id).webhook?.serial).toBe(1n);
});

test('the owner of a disabled webhook gets a mail', async () => {
  const registry = webhookRegistry();
  const sink = await startMailSink();
  cleanups.push(sink.close);
  const webhook = { state: disabled, reason: 'Every attempt has failed for 5 days.', serial: 7n };
  registry.add({ url: 'https://hooks.example.net/' }, webhook, { tellOwner: true });
  await run(registry, { CADASTRE_MAIL_URL: sink.url, CADASTRE_MAIL_FROM: 'noreply@r.example' });
  await expect.poll(() => registry.settlements.length).toBe(1);
  expect(sink.mails).toHaveLength(1);
  expect(sink.mails[0]).toMatchObject({ to: 'a@example.org' });
  expect(sink.mails[0]!.body).toContain('https://hooks.example.net/');
  expect(registry.settlements[0]).toMatchObject({ ownerTold: true, releaseSeconds: 0 });
});

/** The same reason for all: an owner learns nothing about names in the operator's network. */
const notPublic = 'the URL does not lead to a public address';

describe('events go only to public addresses', () => {
  const strict = { CADASTRE_WEBHOOKS_ANYWHERE: 'false', CADASTRE_WEBHOOK_REFUSED_NETWORKS: '8.8.8.0/24' };

  async function errorFor(url: string, reach: NonNullable<EventsOverrides['reach']> = {}): Promise<string | undefined> {
    const registry = webhookRegistry();
    registry.add({ url });
    registry.change({});
    await run(registry, strict, reach);
    await expect.poll(() => registry.settlements.length).toBe(1);
    return registry.settlements[0]!.attempts[0]?.error;
  }

  test.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://192.0.0.8/',
    'https://192.0.2.1/',
    'https://0/',
    'https://10.0.0.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://172.16.0.1/',
    'https://192.168.0.1/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::127.0.0.1]/',
    'https://[2001:db8::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:8.8.4.4]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b::808:808]/',
    'https://[2002:7f00:1::]/',
    'https://[2001::1]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[ff02::1]/',
    'https://8.8.8.8/',
    'https://localhost/',
    'https://a.localhost/',
  ])('not %s', async (url) => {
    expect(await errorFor(url)).toBe(notPublic);
  });

  test.each([
    ['http://8.8.4.4/', 'only https is allowed'],
    ['https://8.8.4.4:22/', 'only the ports 443 and 8443 are allowed'],
  ])('%s is refused', async (url, error) => expect(await errorFor(url)).toBe(error));

  const answering = (four: string[], six: string[] = []) => ({
    resolve4: async () => four,
    resolve6: async () => six,
  });

  test.each<[string, string[], string[]]>([
    ['private', ['10.0.0.1'], []],
    ['public and private', ['8.8.4.4', '10.0.0.1'], []],
    ['private IPv6', ['8.8.4.4'], ['fd00::1']],
    ['refused by the operator', ['8.8.8.8'], []],
  ])('a name with addresses that are %s is refused', async (_what, four, six) => {
    const resolver = answering(four, six) as never;
    expect(await errorFor('https://hooks.example.net/', { resolver })).toBe(notPublic);
  });

  test('a name that no name server knows is refused as one with a private address', async () => {
    const unknown = async () => {
      throw Object.assign(new Error('queryA ENOTFOUND hooks.example.net'), { code: 'ENOTFOUND' });
    };
    const resolver = { resolve4: unknown, resolve6: unknown };
    expect(await errorFor('https://hooks.example.net/', { resolver })).toBe(notPublic);
  });

  test('a name without addresses is refused', async () => {
    expect(await errorFor('https://hooks.example.net/', { resolver: answering([]) as never })).toBe(notPublic);
  });

  /** A resolver that queries a name server, which returns the next of these answers each time. */
  async function nameServer(answers: readonly Answer[][]): Promise<{ resolver: Resolver; requested(): number }> {
    let requested = 0;
    const server = createSocket('udp4', (octets, { port, address }) => {
      const { id = 0, questions = [] } = decode(octets);
      const given = questions[0]?.type === 'A' ? answers[requested++ % answers.length]! : [];
      server.send(encode({ type: 'response', id, questions, answers: given }), port, address);
    });
    await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
    cleanups.push(async () => void server.close());
    // Without a repeat: on a busy machine, the answer may come late.
    const resolver = new Resolver({ timeout: 60_000, tries: 1 });
    resolver.setServers([`127.0.0.1:${server.address().port}`]);
    return { resolver, requested: () => requested };
  }

  const name = 'hooks.example.net';
  const address = (data: string, of = name): Answer => ({ type: 'A', name: of, ttl: 0, data });

  test('a name server leads to an alias with a private address: refused', async () => {
    const alias: Answer = { type: 'CNAME', name, ttl: 0, data: 'internal.example.net' };
    const { resolver } = await nameServer([[alias, address('10.0.0.1', 'internal.example.net')]]);
    expect(await errorFor(`https://${name}/`, { resolver })).toBe(notPublic);
  });

  test('a name server changes its mind: each connection asks once, and checks what it connects to', async () => {
    const registry = webhookRegistry();
    const { resolver, requested } = await nameServer([[address('192.0.2.1')], [address('127.0.0.1')]]);
    registry.add({ url: `https://${name}/` });
    registry.change({});
    await run(registry, strict, { resolver });
    for (const attempt of [0, 1]) {
      await expect.poll(() => registry.settlements.length).toBe(attempt + 1);
      expect(registry.settlements[attempt]!.attempts[0]?.error).toBe(notPublic);
      expect(requested()).toBe(attempt + 1);
      registry.advance(6);
    }
  });
});

describe('with TLS', () => {
  const authority = createAuthority();
  afterAll(() => authority.remove());

  /** A receiver with a certificate for a name; records the names of the addresses that connected. */
  async function tlsReceiver(name: string) {
    const { tlsCertFile, tlsKeyFile } = authority.certify(name);
    const received: (string | undefined)[] = [];
    let connections = 0;
    const options = { cert: readFileSync(tlsCertFile), key: readFileSync(tlsKeyFile) };
    const server = createTlsServer(options, (request, response) => {
      received.push(request.headers.host);
      request.resume();
      response.writeHead(204).end();
    });
    server.on('secureConnection', () => connections++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(async () => {
      server.closeAllConnections();
      server.close();
    });
    return { received, connections: () => connections, port: (server.address() as AddressInfo).port };
  }

  const resolver = { resolve4: async () => ['127.0.0.1'], resolve6: async () => [] } as never;

  test('events go to the name, by one connection', async () => {
    const registry = webhookRegistry();
    const { received, connections, port } = await tlsReceiver('hooks.example.net');
    registry.add({ url: `https://hooks.example.net:${port}/` });
    registry.change({}, {}, {});
    const ca = readFileSync(join(authority.directory, 'ca.crt'), 'utf8');
    await run(registry, {}, { resolver, ca });
    await expect.poll(() => received).toEqual(Array.from({ length: 3 }, () => `hooks.example.net:${port}`));
    expect(connections()).toBe(1);
  });

  test.each([
    ['of another name', 'other.example.net', true],
    ['that nobody trusts', 'hooks.example.net', false],
  ])('a certificate %s is refused', async (_what, certified, isTrusted) => {
    const registry = webhookRegistry();
    const { received, port } = await tlsReceiver(certified);
    registry.add({ url: `https://hooks.example.net:${port}/` });
    registry.change({});
    const ca = readFileSync(join(authority.directory, 'ca.crt'), 'utf8');
    await run(registry, {}, isTrusted ? { resolver, ca } : { resolver });
    await expect.poll(() => registry.settlements.length).toBe(1);
    expect(registry.settlements[0]!.attempts[0]?.error).toMatch(/certificate/i);
    expect(received).toEqual([]);
  });

  describe('through an egress proxy', () => {
    const name = 'hooks.example.net';
    const unused = async () => {
      throw new Error('the proxy resolves names');
    };
    let proxy: ForwardProxy;

    beforeEach(async () => {
      proxy = await startForwardProxy();
      cleanups.push(() => proxy.close());
    });

    async function start(registry: WebhookRegistry, more: Record<string, string> = {}, deadlineMs = 60_000) {
      const ca = readFileSync(join(authority.directory, 'ca.crt'), 'utf8');
      const settings = { CADASTRE_WEBHOOKS_ANYWHERE: 'false', CADASTRE_EGRESS_PROXY: proxy.url, ...more };
      await run(registry, settings, { resolver: { resolve4: unused, resolve6: unused }, ca, deadlineMs });
    }

    /** The first attempt of an event. */
    async function attempt(url: string, more: Record<string, string> = {}, deadlineMs?: number) {
      const registry = webhookRegistry();
      registry.add({ url });
      registry.change({});
      await start(registry, more, deadlineMs);
      await expect.poll(() => registry.settlements.length).toBe(1);
      return registry.settlements[0]!.attempts[0]!;
    }

    test('events go by one tunnel to a host, whose name the proxy resolves', async () => {
      const { received, connections, port } = await tlsReceiver(name);
      proxy.hosts.set(`${name}:443`, port);
      const registry = webhookRegistry();
      registry.add({ url: `https://${name}/` });
      registry.change({}, {}, {});
      await start(registry);
      await expect.poll(() => received).toEqual([name, name, name]);
      expect([proxy.requests, connections()]).toEqual([[`CONNECT ${name}:443`], 1]);
    });

    test('the certificate in a tunnel must be that of the host', async () => {
      const { received, port } = await tlsReceiver('other.example.net');
      proxy.hosts.set(`${name}:443`, port);
      expect((await attempt(`https://${name}/`)).error).toMatch(/certificate/i);
      expect(received).toEqual([]);
    });

    test('in a trial, events by http go through it too', async () => {
      const { url, deliveries } = await receiver();
      proxy.hosts.set('hooks.example.net:80', Number(new URL(url).port));
      const trial = { CADASTRE_WEBHOOKS_ANYWHERE: 'true' };
      expect(await attempt('http://hooks.example.net/hook?a=b', trial)).toMatchObject({ status: 204, error: '' });
      expect(proxy.requests).toEqual(['POST http://hooks.example.net/hook?a=b']);
      expect(deliveries[0]!.headers).toMatchObject({ host: 'hooks.example.net' });
    });

    test.each(['https://10.0.0.1/', 'https://[fd00::1]/', 'https://localhost/', 'https://redis/'])(
      '%s is refused as without a proxy',
      async (url) => {
        expect((await attempt(url)).error).toBe(notPublic);
        expect(proxy.requests).toEqual([]);
      },
    );

    test.each(['https', 'http'])('without its credentials, a request by %s fails', async (scheme) => {
      const { host } = new URL(proxy.url);
      const more = { CADASTRE_EGRESS_PROXY: `http://${host}`, CADASTRE_WEBHOOKS_ANYWHERE: 'true' };
      const expected = { status: 0, error: 'the egress proxy answered with status 407', response: '' };
      expect(await attempt(`${scheme}://${name}/`, more)).toMatchObject(expected);
    });

    const answer = (text: string) => (connection: Duplex) => void connection.end(text);
    const late = 'no answer within 0.5 seconds';
    test.each<[string, (connection: Duplex) => void, string | RegExp]>([
      ['refuses the host', answer('HTTP/1.1 403 Denied\r\n\r\nText'), /^the egress proxy answered with status 403$/],
      ['does not find it', answer('HTTP/1.1 502 Text\r\nx: y\r\n\r\n'), /^the egress proxy answered with status 502$/],
      ['closes', (connection) => void connection.destroy(), /^no tunnel through the egress proxy \(ECONNRESET\)$/],
      ['closes within its header', answer('HTTP/1.1 200 O'), /^no tunnel through the egress proxy \(\w+\)$/],
      ['closes the tunnel', answer('HTTP/1.1 200 OK\r\n\r\n'), /disconnected|ECONNRESET/],
      ['does not speak HTTP', answer('220 ftp.example.net\r\n'), /^no tunnel through the egress proxy \(HPE_\w+\)$/],
      ['sends an endless header', endless, /^no tunnel through the egress proxy \(HPE_HEADER_OVERFLOW\)$/],
      ['is silent', () => {}, late],
      ['is silent in the tunnel', (connection) => void connection.write('HTTP/1.1 200 OK\r\n\r\n'), late],
    ])('an attempt fails when the proxy %s', async (_what, fault, error) => {
      proxy.fault = fault;
      const found = await attempt(`https://${name}/`, {}, error === late ? 500 : 60_000);
      expect(found).toMatchObject({ status: 0, response: '', error: expect.stringMatching(error) });
      await expect.poll(() => proxy.connections()).toBe(0);
    });
  });
});

/** A header of many megabytes, which ends when the client has closed. */
function endless(connection: Duplex): void {
  const pieces = Array.from({ length: 1_000 }, () => 'x'.repeat(64 << 10));
  connection.on('error', () => {});
  connection.write('HTTP/1.1 200 OK\r\nx: ');
  Readable.from(pieces).pipe(connection);
}
