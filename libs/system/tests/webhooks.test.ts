import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reservePort } from '@cadastre/service';
import { keepSecret } from '@cadastre/service/testing';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { scriptOf } from './harness/clients-page.js';
import { eventually } from './harness/eventually.js';
import { inDatabase } from './harness/in-database.js';
import { newObjects } from './harness/new-objects.js';
import { personText } from './harness/person-text.js';
import { descendants } from './harness/processes.js';
import { type Rest, restClient } from './harness/rest.js';
import { runProgram } from './harness/run-program.js';
import { apart, freshDirectory, type RunningSystem, runSystem } from './harness/run-system.js';
import { objectOf, type WhoisClient, whoisClient } from './harness/whois.js';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };
let whois: WhoisClient;

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory, { ...apart('events'), CADASTRE_WEBHOOKS_ANYWHERE: 'true' });
  rest = restClient(system);
  whois = whoisClient(rest, system.credential);
});

afterAll(async () => {
  rest?.close();
  await system?.stop();
  await data.remove();
});

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

interface Received {
  readonly id: string;
  readonly type: string;
  readonly serial: number | undefined;
  readonly body: string;
}

/** A receiver that accepts the events that its webhook has signed. */
async function receiver() {
  const received: Received[] = [];
  let verify = (_body: string, _headers: Record<string, string>): unknown => ({});
  const it = {
    url: '',
    received,
    isUp: true,
    trust: (secret: string) => (verify = verifierOf(secret)),
    onReceived: (_event: Received): unknown => undefined,
  };
  const server = createServer((request, response) => {
    void request.toArray().then((pieces) => {
      const body = Buffer.concat(pieces).toString();
      if (!it.isUp) return response.writeHead(503).end();
      verify(body, request.headers as Record<string, string>);
      const { id, type, serial } = JSON.parse(body);
      received.push({ id, type, serial, body });
      if (received.filter((one) => one.id === id).length === 1) it.onReceived(received.at(-1)!);
      return response.writeHead(204).end();
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  it.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return it;
}

function verifierOf(secret: string) {
  const webhook = new Webhook(secret);
  return (body: string, headers: Record<string, string>) => webhook.verify(body, headers);
}

async function request(method: string, path: string, body?: object) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), contentType: 'application/json' };
  const answer = await rest(path, { method, credential: system.credential, ...sent });
  expect(answer.status, answer.text).toBe(200);
  return JSON.parse(answer.text);
}

async function create(url: string, more: object = {}): Promise<{ path: string; secret: string; serial: number }> {
  const { webhook, secret } = await request('POST', '/webhooks', { url, source: 'TEST', ...more });
  keepSecret(secret);
  return { path: `/webhooks/${webhook.id}`, secret, serial: webhook.serial };
}

const serialsOf = (received: readonly Received[]) => received.flatMap(({ serial }) => serial ?? []);

/** Each event once: one whose acceptance a busy machine notes too late comes again. */
const eventsOf = (received: readonly Received[]) => [...new Map(received.map((one) => [one.id, one])).values()];

test('the recipe of the page about webhooks works', async () => {
  const port = await reservePort();
  const script = `set -e; cd '${checkout}'\n${scriptOf('Try it', 'webhooks.md')}`;
  const output = await runProgram('bash', ['-c', script], {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    TMPDIR: data.directory,
    CADASTRE_DATA_DIR: system.dataDirectory,
    BASE: system.https,
    PORT: String(port),
  });
  expect(output).toMatch(/^webhook\.test \nobject\.created AS-HOOK\nobject\.deleted AS-HOOK\n/);
  expect(output).toContain('"status": 204');
});

test('no change is lost or overtaken when the receiver is down, or the events service is killed', async () => {
  const target = await receiver();
  const { path, secret, serial } = await create(target.url);
  target.trust(secret);
  await eventually(async () => expect((await request('GET', path)).webhook.state).toBe('active'));
  const all = Array.from({ length: 20 }, (_, at) => serial + at + 1);
  // It has accepted this event, but the registry does not know.
  const killed: Promise<void>[] = [];
  target.onReceived = (event) => event.serial === all[14] && killed.push(killEvents());
  for (const turn of all.keys()) {
    const text = personText('Wanda Webhook', 'WW1-TEST').replace('Street 9', `Street ${turn + 1}`);
    const { status } = turn === 0 ? await whois.create('person', text) : await whois.update('person', 'WW1-TEST', text);
    expect(status).toBe(200);
    target.isUp = turn < 3 || turn > 9;
  }
  await eventually(() => expect(killed).not.toHaveLength(0));
  await Promise.all(killed);
  await eventually(() => expect(serialsOf(target.received).at(-1)).toBe(all.at(-1)), 180_000);
  // One whose acceptance a busy machine notes too late comes again, too.
  const serials = serialsOf(target.received);
  expect(serials.filter((one, at) => one !== serials[at - 1])).toEqual(all);
  expect(serials.filter((one) => one === all[14]).length).toBeGreaterThanOrEqual(2);
  // It has the event before the registry has recorded that.
  await eventually(async () => {
    const { attempts } = await request('GET', `${path}/attempts`);
    expect(attempts[0]).toMatchObject({ event: expect.stringMatching(`^TEST-${all.at(-1)}-[0-9a-z]+$`), status: 204 });
  });
  await request('DELETE', path);
});

/** Kills the events service, and ends its minute with the webhooks that it has claimed. */
async function killEvents(): Promise<void> {
  const { pid } = descendants(system.pid).find(({ command }) => command.includes('services/events/dist'))!;
  process.kill(pid, 'SIGKILL');
  await inDatabase(system.dataDirectory, 'update objects.webhook set due = now()');
}

test('during a rotation both secrets verify', async () => {
  const target = await receiver();
  const { path, secret } = await create(target.url);
  target.trust(secret);
  const rotated = await request('POST', `${path}/secret`);
  keepSecret(rotated.secret);
  await eventually(() => expect(eventsOf(target.received)).toHaveLength(1));
  target.trust(rotated.secret);
  await request('POST', `${path}/deliveries`, { test: true });
  await eventually(() => expect(eventsOf(target.received)).toHaveLength(2));
  await request('DELETE', path);
});

test('a change comes again when its owner asks for it', async () => {
  const target = await receiver();
  const { path, secret } = await create(target.url, { filter: { key: 'AS-AGAIN' }, signature: 'v1' });
  target.trust(secret);
  const text = 'as-set: AS-AGAIN\ntech-c: AE1-TEST\nadmin-c: AE1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n';
  expect((await whois.create('as-set', text)).status).toBe(200);
  await eventually(() => expect(serialsOf(target.received)).not.toHaveLength(0));
  const [serial = 0] = serialsOf(target.received);
  for (const wish of [{ serial }, { after: serial - 1 }]) {
    const before = serialsOf(target.received).length;
    await request('POST', `${path}/deliveries`, wish);
    await eventually(() => expect(serialsOf(target.received).length).toBeGreaterThan(before));
  }
  expect(new Set(serialsOf(target.received))).toEqual(new Set([serial]));
  await request('DELETE', path);
});

test('no event tells more of an object than an anonymous lookup', async () => {
  const payloads = [{ payload: 'keys' }, { payload: 'text' }, { payload: 'object' }];
  const targets = await Promise.all(
    payloads.map(async (wanted) => {
      const target = await receiver();
      return { ...target, wanted, ...(await create(target.url, wanted)) };
    }),
  );
  await eventually(async () => {
    for (const { path } of targets) expect((await request('GET', path)).webhook.state).toBe('active');
  });
  for (const { type, key, text, submittedKey = key } of newObjects) {
    expect((await whois.create(type, text.replace(key, submittedKey))).status).toBe(200);
  }
  await eventually(() => {
    for (const { received } of targets) expect(serialsOf(eventsOf(received))).toHaveLength(newObjects.length);
  }, 180_000);
  for (const { serial: start, wanted, received } of targets) {
    const events = eventsOf(received).flatMap(({ serial, body }) => (serial ? [JSON.parse(body)] : []));
    events.sort((one, other) => one.serial - other.serial);
    for (const [at, { type, key }] of newObjects.entries()) {
      const { text, object, ...data } = events[at].data;
      const names = ['serial', 'operation', 'type', 'key', 'revision', 'time', 'link'];
      expect([events[at].serial, Object.keys(data)]).toEqual([start + at + 1, names]);
      const isShown = type !== 'person' && type !== 'role';
      const shownText = (await rest(`/TEST/${type}/${encodeURIComponent(key)}.txt`)).text.replace(/\n\n$/, '\n');
      expect(text).toBe(isShown && wanted.payload === 'text' ? shownText : undefined);
      const shownObject = isShown && wanted.payload === 'object' ? objectOf(await whois.lookup(type, key)) : undefined;
      expect(object).toEqual(shownObject);
    }
    expect(received.map(({ body }) => body).join()).not.toMatch(/SSO alice|(person|role|org)@example\.net/);
  }
  for (const { path } of targets) await request('DELETE', path);
});
