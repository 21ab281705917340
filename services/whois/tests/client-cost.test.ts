import { once } from 'node:events';
import type { WatchCredentialsResponse } from '@cadastre/proto/auth';
import { createMetrics } from '@cadastre/service';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { authBackends } from './auth.fixture.js';
import { createRegistry, type Registry } from './registry.fixture.js';
import { type RunningWhois, startWhois, type Talk } from './whois.fixture.js';

const answer = 'A13\n192.0.2.0/24\nC\n';
const done = 'C\n';
const loadBalancer = '127.0.0.9';
const unlimited = '127.0.0.1';

let whois: RunningWhois;
let talks: Talk[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const { socket } of talks) socket.destroy();
  talks = [];
  await whois.stop();
});

function registry(): Registry {
  const made = createRegistry();
  made.put('route:  192.0.2.0/24\norigin: AS64500\nmnt-by: EXAMPLE-MNT\nsource: TEST');
  return made;
}

function open(from?: string): Talk {
  const talk = whois.open(from);
  talks.push(talk);
  return talk;
}

/** A connection whose client a load balancer names. */
function openOf(client: string): Talk {
  const talk = open(loadBalancer);
  const family = client.includes(':') ? 'TCP6' : 'TCP4';
  talk.send(`PROXY ${family} ${client} ${client} 1 2\r\n`);
  return talk;
}

/** Waits until the service has run for a while: others get answers meanwhile. */
async function untilOthersAreAnswered(): Promise<void> {
  for (let n = 0; n < 3; n++) expect(await whois.ask('!gAS64500\n', '127.0.0.3')).toBe(answer);
}

describe('each line is a query, and waits beyond their rate', () => {
  /** Ten milliseconds before a second ends. Only the tests move this clock: fake timers would advance while they poll. */
  const justBefore = 1_999_999_999_990;
  const limits = '127.0.0.2 queries=2';
  /** Looks again and again, each time a second later: a busy service may have missed some. */
  const untilAnswered = <T>(look: () => T) => {
    let now = justBefore + 2_000;
    return expect.poll(() => {
      now += 1_000;
      vi.setSystemTime(now);
      return look();
    });
  };

  test.each([
    ['an empty one', ''],
    ['blanks', '   '],
    ['one that keeps the connection open', '!!'],
    ['a command that nobody knows', '!zNAME'],
    ['a command without a letter', '!'],
    ['a command without its argument', '!t'],
    ['a command with a wrong argument', '!gX1'],
    ['the same after an agent', '-V agent !gX1'],
    ['an object without a key', '!mroute'],
    ['routes of something else', '!rX1'],
    ['prefixes of no set', '!a'],
    ['a query that cannot be read', '-x -y'],
    ['a proxy that is not listed', '-V agent,192.0.2.1 AS64500'],
    ['bytes that mean nothing', '\xff'],
    ['a request for changes that is refused', '-g OTHER:3:1-LAST'],
    ['help', 'help'],
  ])('%s', async (_what, line) => {
    vi.setSystemTime(justBefore);
    whois = await startWhois(registry(), { CADASTRE_LIMITS: limits });
    const { send, received } = open('127.0.0.2');
    // With the first line there are six: three seconds have room for them.
    send(Buffer.from(`!!\n${`${line}\n`.repeat(5)}!nclient\n`, 'latin1'));
    for (const second of [1, 2]) {
      await untilOthersAreAnswered();
      expect(received()).not.toMatch(/C\n$/);
      vi.setSystemTime(justBefore + second * 1_000);
    }
    await untilAnswered(received).toMatch(/C\n$/);
  });

  test('commands with an answer do not: programs send thousands of them at once', async () => {
    vi.setSystemTime(justBefore);
    whois = await startWhois(registry(), { CADASTRE_LIMITS: limits });
    const many = 1_000;
    const sent = `!!\n!nbgpq4\n!sTEST\n${'!gAS64500\n!6AS64500\n'.repeat(many)}!q\n`;
    expect(await whois.ask(sent, '127.0.0.2')).toBe(`${done}${done}${`${answer}D\n`.repeat(many)}`);
  });

  test('unless each has a connection of its own', async () => {
    vi.setSystemTime(justBefore);
    whois = await startWhois(registry(), { CADASTRE_LIMITS: limits });
    const all = Array.from({ length: 5 }, () => open('127.0.0.2'));
    for (const { send } of all) send('!gAS64500\n');
    const answered = () => all.filter(({ received }) => received() === answer).length;
    for (const second of [1, 2]) {
      await untilOthersAreAnswered();
      expect(answered()).toBeLessThanOrEqual(2 * second);
      vi.setSystemTime(justBefore + second * 1_000);
    }
    await untilAnswered(answered).toBe(5);
  });

  test('a connection without a line counts, and one who makes them on and on is blocked', async () => {
    vi.setSystemTime(justBefore);
    whois = await startWhois(registry(), { CADASTRE_LIMITS: `block-after=1, ${limits}` });
    const answerToNext = async () => {
      const { socket, closed, received } = open('127.0.0.2');
      socket.end();
      await closed;
      return received();
    };
    await expect.poll(answerToNext, { interval: 0 }).toContain('%ERROR:201: access denied for 127.0.0.2');
    expect(await whois.ask('!gAS64500\n', '127.0.0.3')).toBe(answer);
  });
});

test('between unanswered lines, others are answered', async () => {
  whois = await startWhois(registry());
  const greedy = open('127.0.0.2');
  const other = open('127.0.0.3');
  other.send('!!\n!nother\n');
  await expect.poll(other.received).toBe(done);
  const interrupt = Buffer.from([0xff, 0xf4, 0xff, 0xfd, 0x06]);
  greedy.send(Buffer.concat([Buffer.from('!!\n'.repeat(400_000)), interrupt, Buffer.from('!nend\n')]));
  let answered = 0;
  while (greedy.received() !== done) {
    other.send('!gAS64500\n');
    await once(other.socket, 'data');
    answered++;
  }
  // Less than one for each 64 KiB would show that lines are read without a pause.
  expect(answered).toBeGreaterThan(20);
});

describe('a client that is blocked', () => {
  const blockOf = (prefix: string) => ({ prefix, reason: 'x', until: undefined, created: undefined, addedBy: '' });

  test('is refused when it connects, and at its next line when it is connected', async () => {
    const begin = Promise.withResolvers<void>();
    const watchCredentials = async function* (
      _request: unknown,
      { signal }: { signal: AbortSignal },
    ): AsyncGenerator<WatchCredentialsResponse> {
      yield { accountIds: [], blocks: undefined };
      await begin.promise;
      yield { accountIds: [], blocks: { blocks: [blockOf('127.0.0.2/32')] } };
      await once(signal, 'abort');
    };
    const { backends } = registry();
    whois = await startWhois({ backends: { ...backends, ...authBackends({ watchCredentials }) } });
    const lines = ['!nclient\n', '\n', '!gAS64500\n', '-t route\n', '-k\n'];
    const connected = lines.map(() => open('127.0.0.2'));
    for (const { send } of connected) send('!!\n!nclient\n');
    for (const { received } of connected) await expect.poll(received).toBe(done);
    begin.resolve();
    await expect
      .poll(async () => {
        const { socket, closed, received } = open('127.0.0.2');
        socket.end();
        await closed;
        return received();
      })
      .toContain('%ERROR:201: access denied for 127.0.0.2');
    for (const [n, { send, closed, received }] of connected.entries()) {
      send(lines[n]!);
      await closed;
      expect(received(), lines[n]).toMatch(/^C\n(?:%% Access denied\n$|% This is .*%ERROR:201)/s);
    }
    expect(await whois.ask('!gAS64500\n', '127.0.0.3')).toBe(answer);
  });
});

describe('a client that completes no line for as long as it may be silent is gone', () => {
  test.each([
    ['one byte now and then', '-'],
    ['"-V" and blanks without an end', '-V '],
    ['empty lines', '\n'],
    ['blanks', '  \r\n'],
  ])('%s', async (_what, bytes) => {
    whois = await startWhois(registry());
    const { socket, send, closed } = open('127.0.0.2');
    await once(socket, 'connect');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    send('!!\n!nclient\n');
    await once(socket, 'data');
    await untilOthersAreAnswered();
    for (let n = 0; n < 2; n++) {
      vi.advanceTimersByTime(16_000);
      send(bytes);
      await untilOthersAreAnswered();
    }
    await closed;
  });

  test('one that completes lines stays', async () => {
    whois = await startWhois(registry());
    const { socket, send, received } = open('127.0.0.2');
    await once(socket, 'connect');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    send('!!\n!nclient\n');
    await once(socket, 'data');
    for (let n = 0; n < 4; n++) {
      await untilOthersAreAnswered();
      vi.advanceTimersByTime(29_000);
      send('!nclient\n');
      await once(socket, 'data');
    }
    expect(received()).toBe(done.repeat(5));
  });
});

describe('connections', () => {
  const env = {
    CADASTRE_PROXY_PROTOCOL_FROM: loadBalancer,
    CADASTRE_UNLIMITED_NETWORKS: unlimited,
    CADASTRE_WHOIS_CONNECTIONS_PER_CLIENT: '2',
  };
  const ping = async ({ send, received }: Talk) => {
    send('!!\n!nclient\n');
    await expect.poll(received).not.toBe('');
    return received();
  };

  /** How many connections are opened beyond a bound. */
  const beyond = 3;
  /** Opens connections of these clients, one after the other; resolves to the notices to those that are refused. */
  const refusals = async (count: number, client: (n: number) => string, sent: string) => {
    const made: Talk[] = [];
    for (let n = 0; n < count; n++) {
      const talk = openOf(client(n));
      made.push(talk);
      if (sent === '') continue;
      talk.send(sent);
      await expect.poll(talk.received).not.toBe('');
    }
    const spoken = () => made.filter(({ received }) => received() !== '');
    if (sent === '') {
      await expect.poll(() => spoken().length).toBe(beyond);
      const closed = new Set(spoken());
      // The others are open: they get an answer.
      for (const talk of made) if (!closed.has(talk)) talk.send('!gAS64500\n');
    }
    await expect.poll(() => spoken().length).toBe(count);
    return made.flatMap(
      ({ received }) => /%ERROR:306[\s\S]*maximum of \d+/.exec(received())?.[0].split(' ').at(-1) ?? [],
    );
  };
  const command = '!!\n!nclient\n';
  const query = '-k -q version\n';

  test.each<[string, (n: number) => string, string, number, number]>([
    ['queries of a client', () => '192.0.2.1', query, 2, 2],
    ['commands of a client', () => '192.0.2.1', command, 10, 10],
    ['nothing yet of a client', () => '192.0.2.1', '', 10, 10],
    ['queries of a /56', (n) => `2001:db8:0:10${n >> 1}::1`, query, 4, 2],
    ['commands of a /56', (n) => `2001:db8:0:10${n % 8}::1`, command, 20, 10],
    ['queries of a /48', (n) => `2001:db8:0:${n >> 1}00::1`, query, 8, 2],
    ['commands of a /48', (n) => `2001:db8:0:${n % 8}00::1`, command, 40, 10],
    ['queries of others', (n) => `2001:db8:${n >> 1}::1`, query, 16, 0],
  ])('have bounds: %s', async (_what, client, sent, max, named) => {
    whois = await startWhois(registry(), env);
    const more = named === 0 ? 0 : beyond;
    expect(await refusals(max + more, client, sent)).toEqual(Array(more).fill(String(named)));
  });

  test('of which one with commands takes no place of queries, and one with both takes that of commands', async () => {
    whois = await startWhois(registry(), env);
    const client = () => '192.0.2.1';
    expect(await refusals(5, client, command)).toEqual([]);
    expect(await refusals(3, client, query)).toEqual(['2']);
    const [first] = talks.filter(({ received }) => received().includes('whois-server'));
    first!.send('!gAS64500\n');
    await expect.poll(first!.received).toContain(answer);
    expect(await refusals(2, client, query)).toEqual(['2']);
  });

  test('on a full port the idlest of the largest prefix goes, not the newcomer', async () => {
    const metrics = createMetrics('whois');
    whois = await startWhois(registry(), { ...env, CADASTRE_CONNECTIONS: '6' }, { metrics });
    const connections = async () =>
      (await metrics.getSingleMetric('cadastre_whois_connections')!.get()).values[0]!.value;
    await expect.poll(connections).toBe(0);
    const friend = openOf('192.0.2.1');
    const crowd = [1, 2, 3, 4].map((n) => openOf(`198.51.100.${n}`));
    for (const talk of [friend, ...crowd]) expect(await ping(talk)).toBe(done);
    const idle = openOf('198.51.100.5');
    await expect.poll(connections).toBe(6);
    await expect.poll(() => ping(openOf('203.0.113.1'))).toBe(done);
    await idle.closed;
    // Further ones of the crowd replace neither others nor their own.
    expect(await ping(openOf('203.0.113.2'))).toBe(done);
    const another = openOf('198.51.100.6');
    await another.closed;
    expect(another.received()).toBe('');
    friend.send('!gAS64500\n');
    await expect.poll(friend.received).toBe(done + answer);
    expect(crowd.filter(({ socket }) => socket.closed)).toHaveLength(1);
  });
});
