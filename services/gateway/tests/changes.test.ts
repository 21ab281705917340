import { execFile } from 'node:child_process';
import http2 from 'node:http2';
import { ChangeKind, type ListedChange } from '@cadastre/proto/objects';
import { reservePort } from '@cadastre/service';
import { EventSource } from 'eventsource';
import { afterEach, describe, expect, it } from 'vitest';
import type { Bounds } from '../src/bounds.js';
import {
  type ChangingRegistry,
  changingRegistry,
  gather,
  registryObject,
  serialsIn,
} from './changing-registry.fixture.js';
import { type RunningGateway, startGateway } from './gateway.fixture.js';

const running: RunningGateway[] = [];

async function start(registry: ChangingRegistry, env: Record<string, string> = {}, bounds: Partial<Bounds> = {}) {
  const gateway = await startGateway(registry.backends, env, undefined, bounds);
  running.push(gateway);
  return gateway;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((gateway) => gateway.stop()));
});

/** Follows a stream and collects its text. */
async function follow(gateway: RunningGateway, query = '', headers: Record<string, string> = {}, source = 'TEST') {
  const { answer, gone } = gateway.begin(`/${source}/changes${query}`, headers);
  const response = await answer;
  return { response, seen: gather(response), gone };
}

const unlimited = { CADASTRE_LIMITS: 'concurrent-streams=-1' };

const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('a stream', () => {
  it('has an event for each change, with its serial as the id', async () => {
    const registry = changingRegistry(7);
    const { response, seen } = await follow(await start(registry));
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
    });
    expect(response.headers['content-encoding']).toBeUndefined();
    registry.change({ kind: ChangeKind.CHANGE_KIND_CREATED, type: 'route', key: '192.0.2.0/24AS64500', revision: 3 });
    const data =
      '{"serial":8,"operation":"created","type":"route","key":"192.0.2.0/24AS64500","revision":3,"time":"2026-01-02T03:04:05Z"}';
    await expect.poll(() => seen.text).toContain('event: object');
    const [opening, ...events] = seen.text.split('\n\n');
    expect(opening).toMatch(/^retry: [2-4]\d\d\d\nid: 7-t87v6t\nevent: position\ndata: \{"serial":7\}$/);
    expect(events).toEqual([`id: 8-t87v6t\nevent: object.created\ndata: ${data}`, '']);
  });

  it('has a line of comment as a sign of life', async () => {
    const { seen } = await follow(await start(changingRegistry(7), {}, { streamHeartbeat: 20 }));
    await expect.poll(() => seen.text).toMatch(/\n\n: 7\n\n: 7\n\n/);
  });

  it('says how far it is when the filter drops everything', async () => {
    const registry = changingRegistry(7);
    const bounds = { streamHeartbeat: 20, streamPosition: 20 };
    const { seen } = await follow(await start(registry, {}, bounds), '?type-filter=person');
    registry.change({}, {});
    await expect.poll(() => seen.text).toMatch(/\n\nid: 9-t87v6t\nevent: position\n/);
    expect(serialsIn(seen.text)).toEqual([]);
  });

  it.each([
    ['the parameter', '?after=498', {}, 499],
    ['the header', '', { 'last-event-id': '501' }, 502],
    ['the id of an event', '', { 'last-event-id': '501-t87v6t' }, 502],
    ['an id as the parameter', '?after=498-t87v6t', {}, 499],
    ['an id at the end of a page', '?after=500-t87v6t', {}, 501],
    ['the header before the parameter', '?after=498', { 'last-event-id': '0' }, 1],
  ])('begins after the serial of %s', async (_what, query, headers, first) => {
    const registry = changingRegistry(1_003);
    const { seen } = await follow(await start(registry), query, headers as Record<string, string>);
    await expect.poll(() => serialsIn(seen.text).length).toBe(1_004 - first);
    registry.change({});
    await expect.poll(() => serialsIn(seen.text)).toEqual(numbers(first, 1_004));
  });

  it('waits for a serial that another gateway has sent already', async () => {
    const registry = changingRegistry(7);
    const answer = follow(await start(registry), '?after=9');
    registry.change({}, {}, {});
    const { seen } = await answer;
    await expect.poll(() => serialsIn(seen.text)).toEqual([10]);
  });

  it('continues after the objects service was unavailable', async () => {
    const registry = changingRegistry(7);
    const { seen } = await follow(await start(registry, {}, { streamHeartbeat: 20 }));
    registry.setAvailable(false);
    registry.change({}, {});
    await expect.poll(() => seen.text).toContain('\n\n: 7\n\n');
    registry.setAvailable(true);
    await expect.poll(() => serialsIn(seen.text)).toEqual([8, 9]);
  });

  it('exists for copies of other registries', async () => {
    const { seen } = await follow(await start(changingRegistry(7)), '', {}, 'example-grs');
    await expect.poll(() => seen.text).toContain('id: 0\n');
  });

  it('has no body for HEAD', async () => {
    const gateway = await start(changingRegistry(7));
    const { status, headers, text } = await gateway.send('/TEST/changes', { method: 'HEAD' });
    expect([status, headers['content-type'], text]).toEqual([200, 'text/event-stream', '']);
  });

  it('works with HTTP/2', async () => {
    const registry = changingRegistry(7);
    const { gateway } = await start(registry);
    const session = http2.connect(`https://127.0.0.1:${gateway.ports().https}`, { rejectUnauthorized: false });
    const request = session.request({ ':path': '/TEST/changes?after=5' });
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    registry.change({});
    await expect.poll(() => serialsIn(text)).toEqual([6, 7, 8]);
    session.destroy();
  });
});

/** The data of the first change in a stream. */
function dataIn(text: string): string {
  return /^event: object.*\ndata: (.*)$/m.exec(text)![1]!;
}

describe('a stream with objects', () => {
  const { CHANGE_KIND_DELETED: deleted } = ChangeKind;
  const abuse = 'abuse-mailbox:  abuse@example.net\n';
  it.each<[string, Partial<ListedChange>, ReturnType<typeof registryObject> | undefined, boolean]>([
    ['has the object', { revision: 2 }, registryObject('mntner', 'EXAMPLE-MNT', 2), true],
    ['not a state that has changed again', { revision: 1 }, registryObject('mntner', 'EXAMPLE-MNT', 2), false],
    ['nothing of a deletion', { kind: deleted, revision: 3 }, undefined, false],
    ['no person', { type: 'person', key: 'PP1-TEST' }, registryObject('person', 'PP1-TEST', 1), false],
    ['no role that may be a person', { type: 'role', key: 'RR1-TEST' }, registryObject('role', 'RR1-TEST', 1), false],
    ['a role for abuse', { type: 'role', key: 'AR1-TEST' }, registryObject('role', 'AR1-TEST', 1, abuse), true],
    ['no large object', {}, registryObject('mntner', 'EXAMPLE-MNT', 1, `descr: ${'x'.repeat(66_000)}\n`), false],
  ])('shows %s', async (_what, change, object, isShown) => {
    const registry = changingRegistry(7);
    if (object) registry.objects.set(object.key, object);
    const { seen } = await follow(await start(registry), '?payload=object');
    registry.change(change);
    await expect.poll(() => serialsIn(seen.text)).toEqual([8]);
    const { object: shown } = JSON.parse(dataIn(seen.text));
    expect(shown?.attributes.attribute[0].name).toBe(isShown ? object!.type : undefined);
  });

  it('has the object as a lookup shows it', async () => {
    const registry = changingRegistry(7);
    registry.objects.set('EXAMPLE-MNT', registryObject('mntner', 'EXAMPLE-MNT', 1));
    const gateway = await start(registry);
    const { seen } = await follow(gateway, '?payload=object');
    registry.change({});
    await expect.poll(() => serialsIn(seen.text)).toEqual([8]);
    const { text } = await gateway.send('/TEST/mntner/EXAMPLE-MNT.json', { secure: false });
    const { object } = JSON.parse(dataIn(seen.text));
    expect(object).toEqual(JSON.parse(text).objects.object[0]);
  });

  it('has all of many objects', async () => {
    const registry = changingRegistry(0);
    const keys = numbers(1, 130).map((number) => `M${number}-MNT`);
    for (const key of keys) registry.objects.set(key, registryObject('mntner', key, 1));
    registry.change(...keys.map((key) => ({ key })));
    const { seen } = await follow(await start(registry), '?payload=object&after=0');
    await expect.poll(() => serialsIn(seen.text)).toEqual(numbers(1, 130));
    expect(seen.text.match(/"object":\{"type":"mntner"/g)).toHaveLength(130);
  });

  it('waits when they have cost as much as the client may in a minute', async () => {
    const registry = changingRegistry(0);
    const keys = numbers(1, 50).map((number) => `M${number}-MNT`);
    const remarks = `remarks: ${'x'.repeat(2_000)}\n`;
    for (const key of keys) registry.objects.set(key, registryObject('mntner', key, 1, remarks));
    registry.change(...keys.map((key) => ({ key })));
    let minute = 0;
    const now = () => new Date(Date.UTC(2026, 0, 1, 0, minute));
    const env = { CADASTRE_LIMITS: 'bytes=30000' };
    const gateway = await startGateway(registry.backends, env, now, { streamHeartbeat: 20 });
    running.push(gateway);
    const { seen } = await follow(gateway, '?payload=object&after=0');
    for (const last of [20, 40, 50]) {
      await expect.poll(() => seen.text).toContain(`\n\n: ${last}\n\n: ${last}\n\n`);
      expect(serialsIn(seen.text)).toEqual(numbers(1, last));
      minute++;
    }
    const { seen: withKeys } = await follow(gateway, '?after=0');
    await expect.poll(() => serialsIn(withKeys.text)).toEqual(numbers(1, 50));
  });

  it('looks up nothing for a stream of keys', async () => {
    const registry = changingRegistry(7);
    const { seen } = await follow(await start(registry), '?payload=keys');
    registry.change({});
    await expect.poll(() => serialsIn(seen.text)).toEqual([8]);
    expect(registry.lookups).toEqual([]);
  });
});

describe('refusals', () => {
  it.each([
    ['?after=8', 400, 'The serial 8 is greater than the newest one, which is 7'],
    ['?after=2', 410, 'Changes after the serial 2 were removed because of their age'],
    ['?after=7-t87v6u', 410, 'The registry was restored to a state before this change with the serial 7'],
    ['?after=6-t87v6u', 410, 'The registry was restored to a state before this change with the serial 6'],
    ['?after=8-t87v6t', 410, 'The registry was restored to a state before this change with the serial 8'],
    ['?after=7-', 400, "Invalid value '7-' of 'after'"],
    ['?after=7-T87V6T', 400, "Invalid value '7-T87V6T' of 'after'"],
    ['?after=x', 400, "Invalid value 'x' of 'after'"],
    ['?after=18446744073709551616', 400, "Invalid value '18446744073709551616' of 'after'"],
    ['?payload=text', 400, "Invalid value 'text' of parameter 'payload': keys or object is expected"],
    ['?operation=renamed', 400, "Invalid value 'renamed' of parameter 'operation'"],
    ['?type-filter=persona', 400, 'Invalid object type: persona'],
    ['?within=nowhere', 400, "Invalid value 'nowhere' of parameter 'within'"],
    ['?within=AS64500', 400, "Invalid value 'AS64500' of parameter 'within'"],
    [`?maintainer=${numbers(1, 21).join(',')}`, 400, "Parameter 'maintainer' has more than 20 values"],
    [`?key=${'x'.repeat(256)}`, 400, "of parameter 'key': at most 255 characters is expected"],
  ])('%s: %i', async (query, status, message) => {
    const registry = changingRegistry(7);
    registry.remove(5n);
    const gateway = await start(registry, unlimited);
    const formats = [
      ['.json', {}, 'application/json'],
      ['.xml', {}, 'application/xml'],
      ['.txt', {}, 'text/plain;charset=utf-8'],
      ['', {}, 'application/xml'],
      ['', { accept: 'text/event-stream' }, 'application/json'],
    ] as const;
    // Together, because a serial ahead is waited for.
    const answers = formats.map(async ([extension, headers, type]) => {
      const refused = await gateway.send(`/TEST/changes${extension}${query}`, { headers });
      expect([refused.status, refused.headers['content-type']]).toEqual([status, type]);
      if (type === 'application/json') {
        const [{ text, args = [] }] = JSON.parse(refused.text).errormessages.errormessage;
        expect(args.reduce((all: string, { value }: { value: string }) => all.replace(/%[sd]/, value), text)).toContain(
          message,
        );
      }
    });
    await Promise.all(answers);
  });

  it('an unknown source: 400', async () => {
    const gateway = await start(changingRegistry(7));
    const { status, text } = await gateway.send('/NONE/changes?type-filter=persona');
    expect([status, text]).toEqual([400, expect.stringContaining("Invalid source '%s'")]);
  });

  it('more streams than a client may have: 429', async () => {
    const gateway = await start(changingRegistry(7));
    const streams = await Promise.all(numbers(1, 3).map(() => follow(gateway)));
    expect(await gateway.send('/TEST/changes', { connected: true })).toMatchObject({ status: 429 });
    streams[0]!.gone();
    await expect.poll(async () => (await follow(gateway)).response.statusCode).toBe(200);
  });

  it('more streams than a gateway may have: 503, other requests are served', async () => {
    const gateway = await start(changingRegistry(7), { CADASTRE_GATEWAY_CONCURRENT: 'streams=1' });
    await follow(gateway);
    expect(await gateway.send('/TEST/changes')).toMatchObject({ status: 503 });
    expect(await gateway.send('/metadata/sources')).toMatchObject({ status: 200 });
  });

  it('an objects service that is unavailable: 503', async () => {
    const registry = changingRegistry(7);
    registry.setAvailable(false);
    const gateway = await start(registry);
    expect(await gateway.send('/TEST/changes?after=5')).toMatchObject({ status: 503 });
  });
});

describe('many clients', () => {
  it('with old serials share pages, two of which are read at a time', async () => {
    const registry = changingRegistry(5_000);
    const gateway = await start(registry, unlimited);
    const streams = await Promise.all(numbers(0, 59).map((index) => follow(gateway, `?after=${index * 7}`)));
    await expect
      .poll(() => streams.map(({ seen }) => serialsIn(seen.text).length))
      .toEqual(streams.map((_, index) => 5_000 - index * 7));
    for (const [index, { seen }] of streams.entries()) {
      expect(serialsIn(seen.text)).toEqual(numbers(index * 7 + 1, 5_000));
    }
    // Ten pages of 500.
    expect(new Set(registry.pages).size).toBe(10);
    expect(registry.pages.length).toBeLessThanOrEqual(12);
  });

  it('get each of many changes, which are read once', async () => {
    const registry = changingRegistry(7);
    const gateway = await start(registry, unlimited);
    const streams = await Promise.all(numbers(1, 50).map(() => follow(gateway)));
    for (const _turn of numbers(1, 100)) {
      registry.change({});
      await new Promise(setImmediate);
    }
    await expect.poll(() => streams.every(({ seen }) => seen.text.includes('id: 107-'))).toBe(true);
    for (const { seen } of streams) expect(serialsIn(seen.text)).toEqual(numbers(8, 107));
    expect(registry.pages.length).toBeLessThanOrEqual(100);
  });

  it('a client that reads nothing is closed, and makes the gateway read little', async () => {
    const registry = changingRegistry(200_000);
    const gateway = await start(registry, {}, { stallTimeout: 1_000 });
    const openStreams = async () => {
      const { text } = await gateway.send('/metadata/limits.json', { connected: true, secure: false });
      const limits: { name: string; used: number }[] = JSON.parse(text).limits.limit;
      return limits.find(({ name }) => name === 'concurrent-streams')!.used;
    };
    const { answer } = gateway.begin('/TEST/changes?after=0');
    await answer;
    const other = await follow(gateway);
    expect(await openStreams()).toBeGreaterThan(0);
    await expect.poll(openStreams).toBe(1);
    registry.change({});
    await expect.poll(() => serialsIn(other.seen.text)).toEqual([200_001]);
    expect(registry.pages.length).toBeLessThan(200);
  });
});

/** The events that a client with EventSource received. */
function eventSourceOf(port: number, query: string) {
  const source = new EventSource(`http://127.0.0.1:${port}/TEST/changes${query}`);
  const serials: number[] = [];
  const add = ({ data, lastEventId }: MessageEvent) => {
    const { serial } = JSON.parse(data);
    if (!lastEventId.startsWith(`${serial}-`)) throw new Error('an id is not that of its event');
    serials.push(serial);
  };
  for (const name of ['created', 'modified', 'deleted']) source.addEventListener(`object.${name}`, add);
  return { serials, source };
}

describe('a registry that is restored to an earlier state', () => {
  it.each([
    ['fewer changes than before', 2],
    ['as many', 3],
    ['more', 5],
  ])('and then has %s: a stream ends, and its id is refused; one from before continues', async (_what, added) => {
    const registry = changingRegistry(7);
    const gateway = await start(registry);
    const { seen } = await follow(gateway);
    registry.change({}, {}, {});
    await expect.poll(() => serialsIn(seen.text)).toEqual([8, 9, 10]);
    registry.restore(7n);
    registry.change(...Array.from({ length: added }, () => ({})));
    const [last] = seen.text.match(/10-t\w+/) ?? [];
    const status = async (after: string) =>
      (await gateway.send(`/TEST/changes?after=${after}`, { method: 'HEAD' })).status;
    await expect.poll(() => status(last!)).toBe(410);
    expect(await status('7-t87v6t')).toBe(200);
    // The stream itself learns it at the next change.
    registry.change(...Array.from({ length: 3 }, () => ({})));
    await expect.poll(() => seen.isEnded).toBe(true);
    expect(serialsIn(seen.text)).toEqual([8, 9, 10]);
    const again = await follow(gateway, '?after=7-t87v6t');
    await expect.poll(() => serialsIn(again.seen.text)).toEqual(numbers(8, 10 + added));
    for (const id of again.seen.text.match(/^id: (?:[89]|1\d)-.*$/gm)!) expect(seen.text).not.toContain(`${id}\n`);
  });
});

describe('a gateway that stops', () => {
  it('ends its streams, and says when to come back and from where', async () => {
    const registry = changingRegistry(7);
    const gateway = await start(registry, {}, { streamHeartbeat: 20 });
    const { seen } = await follow(gateway, '?type-filter=person');
    registry.change({}, {});
    await expect.poll(() => seen.text).toContain('\n\n: 9\n\n');
    // The first page has the change at the beginning.
    expect(registry.pages.length).toBe(2);
    await gateway.stop();
    running.pop();
    expect(seen.isEnded).toBe(true);
    expect(seen.text).toMatch(/\n\nretry: [2-4]\d\d\d\nid: 9-t87v6t\nevent: position\ndata: .*\n\n$/);
  });

  it('and starts again: clients with EventSource get every change once', async () => {
    const registry = changingRegistry(7);
    const port = await reservePort();
    const env = { ...unlimited, CADASTRE_HTTP_PORT: String(port) };
    const first = await start(registry, env);
    const clients = numbers(1, 50).map((index) => eventSourceOf(port, index % 2 ? '?type-filter=mntner' : ''));
    await expect.poll(() => clients.every(({ source }) => source.readyState === EventSource.OPEN)).toBe(true);
    registry.change({}, {}, {});
    await expect.poll(() => clients.every(({ serials }) => serials.length === 3)).toBe(true);
    running.pop();
    await first.stop();
    registry.change({}, {});
    await start(registry, env);
    registry.change({});
    await expect.poll(() => clients.every(({ serials }) => serials.length >= 6)).toBe(true);
    for (const { serials, source } of clients) {
      expect(serials).toEqual(numbers(8, 13));
      source.close();
    }
  });
});

it('curl shows events as they come', async () => {
  const registry = changingRegistry(7);
  const { gateway } = await start(registry);
  const curl = execFile('curl', ['-sN', `http://127.0.0.1:${gateway.ports().http}/TEST/changes?after=6`]);
  let text = '';
  curl.stdout!.on('data', (piece: string) => {
    text += piece;
  });
  await expect.poll(() => serialsIn(text)).toEqual([7]);
  registry.change({});
  await expect.poll(() => serialsIn(text)).toEqual([7, 8]);
  curl.kill();
});
