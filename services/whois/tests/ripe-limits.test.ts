import { once } from 'node:events';
import { connect } from 'node:net';
import type { SearchRequest } from '@cadastre/proto/search';
import { queryMessages } from '@cadastre/query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { page, type RunningWhois, startWhois } from './ripe.fixture.js';

const person = 'person:         Alice Example\nnic-hdl:        AE1-TEST\nsource:         TEST\n';
const route = 'route:          192.0.2.0/24\norigin:         AS64500\nsource:         TEST\n';

let whois: RunningWhois | undefined;
// No second, minute or day ends unless a test says so. Fake timers would advance while a test polls.
beforeEach(() => void vi.setSystemTime('2026-01-02T03:04:05Z'));
afterEach(async () => {
  vi.useRealTimers();
  await whois?.stop();
  whois = undefined;
});

/** A service whose every search finds these objects. */
async function finding(texts: string[], env: Record<string, string>, auth = {}): Promise<RunningWhois> {
  whois = await startWhois(
    {
      async *search() {
        yield page(...texts);
      },
      auth,
    },
    env,
  );
  return whois;
}

const autNum = 'aut-num:        AS64500\nas-name:        EXAMPLE\nsource:         TEST\n';
const asSet = 'as-set:         AS-EXAMPLE\nmembers:        AS64500\nsource:         TEST\n';

/** The objects of an answer by their types, the first lines of its errors, and "end" if it has the end of a whole one. */
function outlineToEnd(text: string): string[] {
  return [...outline(text), ...(/\n% This query was served by .*\n\n\n$/.test(text) ? ['end'] : [])];
}

/** The same without the end. */
function outline(text: string): string[] {
  return text.split('\n').flatMap((line) => /^%ERROR:\d+|^(?:person|route|aut-num|as-set)(?=:)/.exec(line)?.[0] ?? []);
}

describe('a client', () => {
  test('sees as many personal objects a day as the limit says; then it sees nothing', async () => {
    const { ask } = await finding([route, person, person], { CADASTRE_LIMITS: 'personal-objects=3' });
    expect(outline(await ask('AS64500'))).toEqual(['route', 'person', 'person']);
    expect(outline(await ask('AS64500'))).toEqual(['route', 'person', '%ERROR:201']);
    expect(outline(await ask('-T aut-num AS64500'))).toEqual(['%ERROR:201']);
    expect(outline(await ask('-t route'))).not.toContain('%ERROR:201');
  });

  test('gets as many objects from one query as the limit says', async () => {
    const { ask } = await finding([autNum, autNum, autNum], { CADASTRE_LIMITS: 'search-objects=2' });
    expect(outline(await ask('AS64500'))).toEqual(['aut-num', 'aut-num', '%ERROR:112']);
  });

  test('gets all routes and sets of a query: filters are made of them', async () => {
    const found = [route, autNum, asSet, route, route, autNum, route];
    const { ask } = await finding(found, { CADASTRE_LIMITS: 'search-objects=2' });
    const types = ['route', 'aut-num', 'as-set', 'route', 'route', 'aut-num', 'route'];
    expect(outlineToEnd(await ask('AS64500'))).toEqual([...types, 'end']);
  });

  test.each<[string, string[], string, string[]]>([
    ['too many objects', [autNum, autNum, autNum], 'search-objects=2', ['aut-num', 'aut-num', '%ERROR:112']],
    ['too many persons', [route, person, person], 'personal-objects=1', ['route', 'person', '%ERROR:201']],
  ])(
    'sees that an answer is incomplete: it has no end, and the connection is closed: %s',
    async (_what, found, limit, expected) => {
      const { ask } = await finding(found, { CADASTRE_LIMITS: limit });
      expect(outlineToEnd(await ask('-k AS64500', '-k AS64500', '-k -q version'))).toEqual(expected);
    },
  );

  test('sees that an answer without objects is whole', async () => {
    const { ask } = await finding([person], { CADASTRE_LIMITS: 'personal-objects=0' });
    const expected = ['%ERROR:201', 'end'];
    expect(outlineToEnd(await ask('-k AE1-TEST', '-k'))).toEqual(expected);
  });

  test('sees that a source is missing', async () => {
    const search = async function* () {
      yield { ...page(route), messages: [queryMessages.notIndexed('OTHER-GRS')] };
    };
    whois = await startWhois({ search });
    const text = await whois.ask('-s TEST,OTHER-GRS AS64500');
    expect(text).toContain('Source OTHER-GRS cannot be searched yet');
    expect(outlineToEnd(text)).toEqual(['route']);
  });

  test('gets no more from sources between which an unknown one stands', async () => {
    const { ask } = await finding([autNum, autNum], { CADASTRE_LIMITS: 'search-objects=3' });
    const expected = ['aut-num', 'aut-num', '%ERROR:102', 'aut-num', '%ERROR:112'];
    expect(outlineToEnd(await ask('-s TEST,NOPE,OTHER-GRS AS64500'))).toEqual(expected);
  });

  test('does not see the persons that are left out because of their syntax', async () => {
    const search = async function* () {
      const all = page(person, person, person);
      for (const one of all.objects.slice(0, 2)) one.leftOut = true;
      yield all;
    };
    whois = await startWhois({ search }, { CADASTRE_LIMITS: 'personal-objects=1' });
    expect(outline(await whois.ask('--valid-syntax AE1-TEST'))).toEqual(['person']);
  });

  test('that sends more searches per second than the limit says waits for its answers', async () => {
    vi.useRealTimers();
    const { ask } = await finding([route], { CADASTRE_LIMITS: 'searches=2' });
    const lines = Array.from({ length: 5 }, () => '-k AS64500');
    expect(outline(await ask(...lines, '-k'))).toEqual(Array(5).fill('route'));
  });

  test('that the operator has blocked gets ERROR:201', async () => {
    const blocks = [{ prefix: '127.0.0.0/8', reason: 'x', until: undefined, created: undefined, createdBy: '' }];
    const watchCredentials = async function* (_request: unknown, { signal }: { signal: AbortSignal }) {
      yield { accountIds: [], blocks: { version: 1n, blocks } };
      await once(signal, 'abort');
    };
    const { ask } = await finding([route], {}, { watchCredentials });
    await expect.poll(async () => outline(await ask('AS64500'))).toEqual(['%ERROR:201']);
    for (const command of ['!v', '!gAS64500', '-V agent !aAS-EX', '!r192.0.2.0/24']) {
      expect(outline(await ask('!!', command, command))).toEqual(['%ERROR:201']);
    }
  });

  test('waits as long for commands that search as for queries', async () => {
    let searches = 0;
    whois = await startWhois(
      {
        async *search() {
          searches++;
          yield page(route);
        },
      },
      { CADASTRE_LIMITS: 'searches=2' },
    );
    const justBefore = 1_999_999_999_990;
    vi.setSystemTime(justBefore);
    const answers = whois.ask('!!', ...Array(5).fill('!r192.0.2.0/24'), '!q');
    for (const [second, made] of [2, 4, 5].entries()) {
      vi.setSystemTime(justBefore + second * 1_000);
      await expect.poll(() => searches).toBe(made);
    }
    expect(await answers).toBe(`A${route.length}\n${route}C\n`.repeat(5));
  });

  test('whose answers cost too much waits with its next line until the minute ends', async () => {
    const large = route.replace('origin', `descr:          ${'x'.repeat(20_000)}\norigin`);
    const times: number[] = [];
    const second = Promise.withResolvers<void>();
    const search = async function* ({ client }: SearchRequest) {
      if (client === '127.0.0.1' && times.push(Date.now()) === 2) second.resolve();
      yield page(client === '127.0.0.1' ? large : route);
    };
    const env = { CADASTRE_LIMITS: 'bytes=30000', CADASTRE_TRUSTED_PROXIES: '127.0.0.1' };
    whois = await startWhois({ search }, env);
    const justBefore = 1_999_999_979_990;
    vi.setSystemTime(justBefore);
    const answers = whois.ask('-k AS64500', 'AS64500', 'AS64500', '-k');
    await second.promise;
    expect(outline(await whois.ask('-V web,192.0.2.2 AS64500'))).toEqual(['route']);
    vi.setSystemTime(justBefore + 60_000);
    expect(outline(await answers)).toEqual(Array(3).fill('route'));
    expect(times).toEqual([justBefore, justBefore, justBefore + 60_000]);
  });

  test('whose one answer costs too much gets the end of it as an error', async () => {
    // All of it in one minute.
    vi.setSystemTime(1_999_999_980_000);
    const large = route.replace('origin', `descr:          ${'x'.repeat(20_000)}\norigin`);
    const search = async function* () {
      for (let n = 0; n < 5; n++) yield page(large);
    };
    whois = await startWhois({ search }, { CADASTRE_LIMITS: 'bytes=30000' });
    expect(outlineToEnd(await whois.ask('AS64500'))).toEqual(['route', 'route', '%ERROR:201']);
  });

  test.each(['-i origin AS64500', '-i or AS64500', '-T route 192.0.2.0/24'])(
    'whose one answer of routes and sets costs too much waits for the rest: %s',
    async (query) => {
      const large = route.replace('origin', `descr:          ${'x'.repeat(20_000)}\norigin`);
      let pulled = 0;
      const search = async function* () {
        for (; pulled < 3; pulled++) yield page(large);
      };
      whois = await startWhois({ search }, { CADASTRE_LIMITS: 'bytes=30000' });
      let now = 1_999_999_979_990;
      vi.setSystemTime(now);
      let isAnswered = false;
      const answer = whois.ask(query).finally(() => {
        isAnswered = true;
      });
      await expect.poll(() => pulled).toBeGreaterThanOrEqual(2);
      expect(isAnswered).toBe(false);
      await expect
        .poll(() => {
          now += 60_000;
          vi.setSystemTime(now);
          return isAnswered;
        })
        .toBe(true);
      expect(outlineToEnd(await answer)).toEqual(['route', 'route', 'route', 'end']);
    },
  );

  test('has three connections with queries; the fourth gets ERROR:306 with banner and end (P9)', async () => {
    const { ask, port } = await finding([route], {});
    const open = await Promise.all(
      [1, 2, 3].map(async () => {
        const socket = connect(port, '127.0.0.1');
        socket.write('-k AS64500\n');
        await once(socket, 'data');
        return socket;
      }),
    );
    expect(await ask('AS64500')).toMatch(
      /^% This is the TEST registry.*%ERROR:306.*maximum of 3\.\n\n% This query.*\n\n\n$/s,
    );
    for (const socket of open) socket.destroy();
    await expect.poll(async () => outline(await ask('AS64500'))).toEqual(['route']);
  });
});

describe('a proxy', () => {
  test('that is not listed may not ask for others', async () => {
    const { ask } = await finding([route], {});
    expect(outline(await ask('-V web,192.0.2.1 AS64500'))).toEqual(['%ERROR:203']);
    expect(outline(await ask('-V web AS64500'))).toEqual(['route']);
  });

  test('that is listed uses the limits of those for whom it asks', async () => {
    const env = { CADASTRE_TRUSTED_PROXIES: '127.0.0.1', CADASTRE_LIMITS: 'personal-objects=1' };
    const { ask } = await finding([person, person], env);
    expect(outline(await ask('-V web,192.0.2.1 x'))).toEqual(['person', '%ERROR:201']);
    expect(outline(await ask('-V web,192.0.2.1 x'))).toEqual(['%ERROR:201']);
    expect(outline(await ask('-V web,192.0.2.2 x'))).toEqual(['person', '%ERROR:201']);
    expect(outline(await ask('x'))).toEqual(['person', '%ERROR:201']);
  });

  test.each([
    ['that is listed asks with commands for others', '127.0.0.1', /^C\n$/, /^%% Access denied\n$/],
    // A blocked client is refused before anything is read.
    ['that is not listed asks for itself', '192.0.2.9', /%ERROR:201: access denied for 127.0.0.1/, /%ERROR:201/],
  ])('%s', async (_what, proxies, forOthers, forBlocked) => {
    const blocked = proxies === '127.0.0.1' ? '192.0.2.1/32' : '127.0.0.1/32';
    const blocks = [{ prefix: blocked, reason: 'x', until: undefined, created: undefined, createdBy: '' }];
    const watchCredentials = async function* (_request: unknown, { signal }: { signal: AbortSignal }) {
      yield { accountIds: [], blocks: { version: 1n, blocks } };
      await once(signal, 'abort');
    };
    const { ask } = await finding([route], { CADASTRE_TRUSTED_PROXIES: proxies }, { watchCredentials });
    await expect.poll(() => ask('-V web,192.0.2.1 !nclient')).toMatch(forBlocked);
    expect(await ask('-V web,192.0.2.2 !nclient')).toMatch(forOthers);
    expect(await ask('-V web,what !nclient')).toMatch(forOthers);
  });
});

test('pages are asked for while the client reads, and no further (W13)', async () => {
  let pulled = 0;
  const pages = 160;
  const large = route.replace('origin', `descr:          ${'x'.repeat(500_000)}\norigin`);
  const search = async function* () {
    for (; pulled < pages; pulled++) yield page(large);
  };
  whois = await startWhois({ search }, { CADASTRE_LIMITS: 'bytes=-1' });
  const socket = connect(whois.port, '127.0.0.1');
  socket.write('AS64500\n');
  await once(socket, 'readable');
  let before = -1;
  await expect
    .poll(
      () => {
        const isStill = pulled === before;
        before = pulled;
        return isStill;
      },
      { interval: 500 },
    )
    .toBe(true);
  expect(pulled).toBeLessThan(pages / 2);
  let bytes = 0;
  socket.on('data', (piece) => (bytes += piece.length));
  await once(socket, 'close');
  expect(pulled).toBe(pages);
  expect(bytes).toBeGreaterThan(pages * large.length);
});

test('more than 200 searches at once get ERROR:100, until others end', async () => {
  const gate = Promise.withResolvers<void>();
  let running = 0;
  whois = await startWhois(
    {
      async *search({ query }) {
        running++;
        if (query === 'AS1') await gate.promise;
        yield page(route);
      },
    },
    { CADASTRE_WHOIS_CONNECTIONS_PER_CLIENT: '0', CADASTRE_LIMITS: 'concurrent-searches=-1' },
  );
  const { ask } = whois;
  const held = Promise.all(Array.from({ length: 200 }, () => ask('AS1')));
  await expect.poll(() => running).toBe(200);
  expect(outline(await ask('AS2'))).toEqual(['%ERROR:100']);
  expect(outline(await ask('-t route'))).not.toContain('%ERROR:100');
  gate.resolve();
  expect((await held).map(outline)).toEqual(Array(200).fill(['route']));
  expect(outline(await ask('AS2'))).toEqual(['route']);
});

test('of 200 searches that a few networks do not read, one ends for that of another network', async () => {
  const large = route.replace('origin', `descr:          ${'x'.repeat(500_000)}\norigin`);
  const search = async function* ({ query }: SearchRequest) {
    for (let n = 0; n < (query === 'AS1' ? 40 : 1); n++) yield page(query === 'AS1' ? large : route);
  };
  const env = { CADASTRE_TRUSTED_PROXIES: '127.0.0.1', CADASTRE_UNLIMITED_NETWORKS: '127.0.0.1' };
  whois = await startWhois({ search }, env);
  const { port, ask } = whois;
  const readers = Array.from({ length: 200 }, (_, n) => {
    const socket = connect(port, '127.0.0.1').pause();
    // Twenty clients, in five networks.
    socket.on('error', () => {}).write(`-V web,198.51.${n % 5}.${n % 20} AS1\n`);
    return socket;
  });
  await Promise.all(readers.map((socket) => socket.readableLength > 0 || once(socket, 'readable')));
  expect(outline(await ask('-V web,198.51.1.100 AS2'))).toEqual(['%ERROR:100']);
  expect(outline(await ask('-V web,203.0.113.1 AS2'))).toEqual(['route']);
  for (const socket of readers) socket.destroy();
});

test('a client that is silent for 180 s gets ERROR:305, and the connection is closed (P8)', async () => {
  const { port } = await finding([route], {});
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (text) => (received += text));
  await once(socket, 'connect');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  socket.write('-k -t route\n');
  await vi.waitFor(() => expect(received).toMatch(/\n\n\n$/), { interval: 1, timeout: 45_000 });
  const answered = received.length;
  vi.advanceTimersByTime(179_000);
  socket.write('-k -t route\n');
  await once(socket, 'data');
  await new Promise((resolve) => setImmediate(resolve));
  expect(received).not.toContain('%ERROR:305');
  vi.advanceTimersByTime(180_000);
  await once(socket, 'end');
  expect(received.slice(2 * answered)).toBe(
    '%ERROR:305: connection has been closed\n%\n% The connection has been closed after a period of inactivity.\n\n\n',
  );
  socket.destroy();
});
