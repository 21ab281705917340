import { EventSource } from 'eventsource';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from './harness/eventually.js';
import { personText } from './harness/person-text.js';
import { descendants } from './harness/processes.js';
import { type Rest, restClient } from './harness/rest.js';
import { apart, freshDirectory, type RunningSystem, runSystem } from './harness/run-system.js';
import { type WhoisClient, whoisClient } from './harness/whois.js';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };
let whois: WhoisClient;

beforeAll(async () => {
  data = await freshDirectory();
  const limits = '127.0.0.0/8 exempt, ::1/128 exempt';
  system = await runSystem(data.directory, { ...apart('gateway'), CADASTRE_LIMITS: limits });
  rest = restClient(system);
  whois = whoisClient(rest, system.credential);
});

afterAll(async () => {
  rest?.close();
  await system?.stop();
  await data.remove();
});

interface ChangeData {
  serial: number;
  operation: string;
  type: string;
  key: string;
  object?: { attributes: { attribute: { name: string }[] } };
}

/** The events that a client with EventSource receives. */
function follow(query: string) {
  const source = new EventSource(`${system.http}/TEST/changes${query}`);
  const changes: ChangeData[] = [];
  let position = 0;
  source.addEventListener('position', ({ lastEventId }) => {
    position = Number.parseInt(lastEventId, 10);
  });
  for (const operation of ['created', 'modified', 'deleted']) {
    source.addEventListener(`object.${operation}`, (event) => {
      changes.push(JSON.parse(event.data));
      position = Number.parseInt(event.lastEventId, 10);
    });
  }
  return { changes, position: () => position, close: () => source.close() };
}

async function newestSerial(): Promise<number> {
  const stream = follow('');
  await eventually(async () => expect(stream.position()).toBeGreaterThan(0));
  stream.close();
  return stream.position();
}

const clients = 200;
const writes = 30;

test('when the gateway is killed, every client gets every change once', async () => {
  const start = await newestSerial();
  const streams = Array.from({ length: clients }, () => follow(`?after=${start}`));
  const gatewayPid = () =>
    descendants(system.pid).find(({ command }) => command.includes('services/gateway/dist'))?.pid;
  const killed = gatewayPid()!;
  for (let turn = 0; turn < writes; turn++) {
    if (turn === 10) process.kill(killed, 'SIGKILL');
    const text = personText('Sarah Stream', 'SS1-TEST').replace('Street 9', `Street ${turn + 100}`);
    // The first response may be that of a retried write.
    await eventually(async () => {
      const { status } =
        turn === 0 ? await whois.create('person', text) : await whois.update('person', 'SS1-TEST', text);
      expect([200, 409]).toContain(status);
    }, 180_000);
  }
  const serials = Array.from({ length: writes }, (_, index) => start + index + 1);
  await eventually(async () => {
    for (const { changes } of streams) expect(changes.length).toBeGreaterThanOrEqual(writes);
  }, 180_000);
  expect(gatewayPid()).not.toBe(killed);
  for (const { changes, close } of streams) {
    expect(changes.map(({ serial }) => serial)).toEqual(serials);
    close();
  }
});

describe('events with objects', () => {
  test('show what lookups show, and no persons', async () => {
    const newest = await newestSerial();
    const stream = follow('?payload=object&after=0');
    await eventually(async () => expect(stream.position()).toBe(newest), 180_000);
    stream.close();
    const shown = stream.changes.filter(({ object }) => object !== undefined);
    const types = new Set(shown.map(({ type }) => type));
    for (const type of ['mntner', 'organisation', 'inetnum', 'route', 'aut-num', 'role']) expect(types).toContain(type);
    expect(types).not.toContain('person');
    for (const { type, key, object } of shown) {
      const { text } = await rest(`/TEST/${type}/${encodeURIComponent(key)}.json`, { plain: true });
      expect(object, key).toEqual(JSON.parse(text).objects.object[0]);
    }
    const hidden = ['auth', 'e-mail', 'notify', 'mnt-nfy', 'upd-to', 'ref-nfy', 'changed'];
    const names = shown.flatMap(({ object }) => object!.attributes.attribute.map(({ name }) => name));
    expect(hidden.filter((name) => names.includes(name))).toEqual([]);
  });

  test('do not show former contacts', async () => {
    const start = await newestSerial();
    const text = (contact: string) =>
      `as-set: AS-FORMER\ntech-c: ${contact}\nadmin-c: AE1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n`;
    await whois.create('person', personText('Frida Former', 'FF1-TEST'));
    expect((await whois.create('as-set', text('FF1-TEST'))).status).toBe(200);
    expect((await whois.update('as-set', 'AS-FORMER', text('AE1-TEST'))).status).toBe(200);
    expect((await whois.remove('as-set', 'AS-FORMER')).status).toBe(200);
    const stream = follow(`?payload=object&key=AS-FORMER&after=${start}`);
    await eventually(async () => expect(stream.changes).toHaveLength(3));
    stream.close();
    expect(JSON.stringify(stream.changes)).not.toContain('FF1-TEST');
  });
});
