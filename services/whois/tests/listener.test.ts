import { once } from 'node:events';
import { type AnswerMemory, createAnswerMemory, reservePort } from '@cadastre/service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRegistry, type Registry } from './registry.fixture.js';
import { beginWhois, type RunningWhois, startWhois } from './whois.fixture.js';

const route = (prefix: string, origin: string) =>
  `route:  ${prefix}\norigin: ${origin}\nmnt-by: EXAMPLE-MNT\nsource: TEST`;

let registry: Registry;
let whois: RunningWhois;

beforeAll(async () => {
  registry = createRegistry();
  registry.put(route('192.0.2.0/24', 'AS64500'));
  whois = await startWhois(registry);
});
afterAll(() => whois.stop());

const answer = 'A13\n192.0.2.0/24\nC\n';
const tooLong = `% This is the TEST registry query service.
% The objects are in RPSL format.
%
% Terms and conditions: TERMS

%ERROR:107: input line too long
%
% Input exceeds the maximum line length of 1024 bytes.

% This query was served by NAME


`;

describe('lines', () => {
  test.each<[string, string | Buffer, string]>([
    ['end with LF', '!gAS64500\n', answer],
    ['or with CRLF', '!gAS64500\r\n', answer],
    ['or with the interrupt of telnet', Buffer.from('!gAS64500\xff\xf4\xff\xfd\x06', 'latin1'), answer],
    ['the first one is answered, then the connection is closed', '!gAS64500\n!gAS64500\n', answer],
    ['unless the client asks to keep it open', '!!\n!gAS64500\n!gAS64500\n!q\n!gAS64500\n', answer + answer],
    ['empty ones do not count then', '!!\n\n\r\n!gAS64500\n!Q\n', answer],
    [
      '1,024 bytes are not too long',
      `!!\n!s${'X'.repeat(1_022)}\r\n!q\n`,
      'F One or more selected sources are unavailable.\n',
    ],
    ['one more is', `!!\n!gAS64500\n!s${'X'.repeat(1_023)}\n!gAS64500\n`, answer + tooLong],
    ['also without an end', 'x'.repeat(1_026), tooLong],
  ])('%s', async (_what, sent, received) => {
    const text = await whois.ask(sent);
    expect(
      text.replace(
        /(conditions:|served by) .*/g,
        (_, before) => `${before} ${before === 'served by' ? 'NAME' : 'TERMS'}`,
      ),
    ).toBe(received);
  });

  test('a client that closes its side gets its answers', async () => {
    const { socket, received, closed } = whois.open();
    socket.end('!!\n!gAS64500\n!gAS64500');
    await closed;
    expect(received()).toBe(answer + answer);
  });

  test('the pieces of a line may come one by one', async () => {
    const { send, received, closed } = whois.open();
    for (const piece of ['!g', 'AS64', '500\r', '\n']) {
      send(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await closed;
    expect(received()).toBe(answer);
  });

  test('10,000 commands in one write are answered in their order', async () => {
    const commands = Array.from({ length: 10_000 }, (_, n) => `!gX${n}\n`).join('');
    const answers = Array.from({ length: 10_000 }, (_, n) => `F Invalid AS number X${n}: must start with "AS"\n`);
    expect(await whois.ask(`!!\n${commands}!q\n`)).toBe(answers.join(''));
  });
});

test('nothing is sent before the first command', async () => {
  const { received, send, socket, closed } = whois.open();
  send('!!\n!nclient\n');
  await expect.poll(received).toBe('C\n');
  socket.destroy();
  await closed;
});

test('a client that is silent for as long as it said is gone silently', async () => {
  expect(await whois.ask('!!\n!t1\n')).toBe('C\n');
});

test('a slow reader gets the whole of a large answer', async () => {
  const many = createRegistry();
  const prefixes = Array.from({ length: 30_000 }, (_, n) => `10.${n >> 8}.${n & 255}.0/24`);
  many.put(prefixes.map((prefix) => route(prefix, 'AS64500')).join('\n\n'));
  many.put('as-set: AS-MANY\nmembers: AS64500\nmnt-by: EXAMPLE-MNT\nsource: TEST');
  const large = await startWhois(many);
  try {
    const { socket, send, received, closed } = large.open();
    socket.pause();
    send('!a4AS-MANY\n');
    await new Promise((resolve) => socket.once('readable', resolve));
    socket.resume();
    await closed;
    expect(received()).toBe(`A${prefixes.join(' ').length + 1}\n${prefixes.join(' ')}\nC\n`);
  } finally {
    await large.stop();
  }
});

describe('large expansions', () => {
  let large: RunningWhois;
  beforeAll(async () => {
    const many = createRegistry();
    const prefixes = Array.from({ length: 40_000 }, (_, n) => `10.${n >> 8}.${n & 255}.0/24`);
    many.put(prefixes.map((prefix, n) => route(prefix, `AS${1 + (n % 400)}`)).join('\n\n'));
    const members = Array.from({ length: 400 }, (_, n) => `AS${1 + n}`).join(', ');
    many.put(`as-set: AS-MANY\nmembers: ${members}\nmnt-by: EXAMPLE-MNT\nsource: TEST`);
    many.put('route-set: RS-MANY\nmembers: AS-MANY\nmnt-by: EXAMPLE-MNT\nsource: TEST');
    large = await startWhois(many);
  });
  afterAll(() => large.stop());

  test('of one client let short commands of others go first', async () => {
    const greedy = [1, 2, 3].map(() => large.open('127.0.0.2'));
    const other = large.open('127.0.0.3');
    other.send('!!\n!nother\n');
    await expect.poll(other.received).toBe('C\n');
    for (const { send } of greedy) send(`!!\n${'!aAS-MANY\n'.repeat(5)}!q\n`);
    const short = other.received().length;
    let answered = 0;
    let isServed = false;
    const served = Promise.all(greedy.map(({ closed }) => closed)).then(() => {
      isServed = true;
    });
    while (!isServed) {
      other.send('!v\n');
      await once(other.socket, 'data');
      answered++;
    }
    await served;
    expect(other.received().length).toBeGreaterThan(short);
    // At least one in each of the fifteen expansions.
    expect(answered).toBeGreaterThan(15);
    for (const { received } of greedy) expect(received().match(/^C$/gm)).toHaveLength(5);
    other.socket.destroy();
  });

  test('of a route-set are made in parts, between which others are answered', async () => {
    const greedy = large.open('127.0.0.2');
    const other = large.open('127.0.0.3');
    other.send('!!\n!nother\n');
    await expect.poll(other.received).toBe('C\n');
    greedy.send('!iRS-MANY,1\n');
    let answered = 0;
    while (!greedy.socket.closed) {
      other.send('!v\n');
      await once(other.socket, 'data');
      answered++;
    }
    expect(answered).toBeGreaterThan(15);
    expect(greedy.received().split(' ')).toHaveLength(40_000);
    other.socket.destroy();
  });
});

describe('while memory is scarce', () => {
  let running: RunningWhois;
  let memory: AnswerMemory;
  let time = 0;
  const requested = '!aAS-MANY\n';
  beforeAll(async () => {
    const many = createRegistry();
    const prefixes = Array.from({ length: 30_000 }, (_, n) => `10.${n >> 8}.${n & 255}.0/24`);
    many.put(prefixes.map((prefix) => route(prefix, 'AS1')).join('\n\n'));
    many.put('as-set: AS-MANY\nmembers: AS1\nmnt-by: EXAMPLE-MNT\nsource: TEST');
    // Room for an expansion (8 bytes for each prefix, twice), but not in addition to an answer that waits for its
    // reader.
    memory = createAnswerMemory({ maxBytes: 600_000, maxBytesPerClient: 6_000_000, now: () => time });
    running = await startWhois(many, {}, { memory });
  });
  afterAll(() => running.stop());

  const hasRoom = () => {
    try {
      memory.take('another', 480_000).release();
      return true;
    } catch {
      return false;
    }
  };
  /** More answers than an unread connection accepts, each of 400 kB. */
  const manyAnswers = `!!\n${requested.repeat(100)}!q\n`;

  test('a client that reads too slowly is gone, and others get their answers', async () => {
    const slow = running.open('127.0.0.2');
    slow.socket.pause();
    slow.send(manyAnswers);
    // While answers are still made, those to others may end the connection.
    let refusals = 0;
    await expect
      .poll(() => {
        refusals = hasRoom() ? 0 : refusals + 1;
        return refusals;
      })
      .toBeGreaterThan(40);
    const lengthOfAnswer = async () => (await running.ask(requested)).length;
    await expect.poll(lengthOfAnswer).toBe(0);
    await expect
      .poll(() => {
        time += 10_000;
        return lengthOfAnswer();
      })
      .toBeGreaterThan(400_000);
    slow.socket.resume();
    await slow.closed;
    expect(slow.received().match(/^C$/gm)?.length ?? 0).toBeLessThan(100);
  });
});

describe('the default sources', () => {
  const names = Array.from({ length: 26 }, (_, n) => `OTHER-${10 + n}`);
  const sourcesOf = (text: string) => ({
    CADASTRE_GRS_SOURCES: [...names, text].join(','),
    CADASTRE_WHOIS_SOURCES: [...names, text].join(','),
  });

  test('are an answer of at most 255 bytes, which is what bgpq4 reads (P4)', async () => {
    const longest = [...names, 'X'.repeat(247 - names.join(',').length - 1)];
    const own = createRegistry(['TEST', ...longest]);
    const running = await beginWhois(own, sourcesOf(longest.at(-1)!));
    try {
      const answer = await running.ask('!s-lc\n');
      expect(answer).toBe(`A248\n${longest.join(',')}\nC\n`);
      expect(answer).toHaveLength(255);
      // Clients that read more may choose more.
      expect(await running.answers([`!sTEST,${longest.join(',')}`, '!s-lc'])).toEqual([
        'C\n',
        `A253\nTEST,${longest.join(',')}\nC\n`,
      ]);
    } finally {
      await running.stop();
    }
  });

  test('with one byte more are refused at the start', async () => {
    const tooLongName = 'X'.repeat(247 - names.join(',').length);
    await expect(beginWhois(registry, sourcesOf(tooLongName))).rejects.toThrow(
      'CADASTRE_WHOIS_SOURCES: longer than 247 characters',
    );
  });
});

describe('connections', () => {
  test('of one client are bounded', async () => {
    const bounded = await startWhois(registry, {
      CADASTRE_WHOIS_CONNECTIONS_PER_CLIENT: '2',
      CADASTRE_UNLIMITED_NETWORKS: '127.0.0.1',
    });
    try {
      const tooMany = (max: number) =>
        `\n\n%ERROR:306: connections exceeded\n%\n% Number of connections from a single IP address has exceeded the maximum of ${max}.\n\n% This`;
      const query = '-q version\n';
      const open = [bounded.open('127.0.0.2'), bounded.open('127.0.0.2')];
      for (const { send, received } of open) {
        send(`-k ${query}`);
        await expect.poll(received).toMatch(/\n\n\n$/);
      }
      expect(await bounded.ask(query, '127.0.0.2')).toContain(tooMany(2));
      expect(await bounded.ask(query, '127.0.0.3')).not.toContain('%ERROR');
      const programs = Array.from({ length: 8 }, () => bounded.open('127.0.0.2'));
      for (const { send, received } of programs) {
        send('!!\n!gAS64500\n');
        await expect.poll(received).toBe(answer);
      }
      // It is refused before it says anything.
      expect(await bounded.ask('', '127.0.0.2')).toContain(tooMany(10));
      expect(await bounded.ask('!gAS64500\n', '127.0.0.3')).toBe(answer);
      open[0]!.send('-k\n');
      await open[0]!.closed;
      await expect.poll(() => bounded.ask(query, '127.0.0.2')).not.toContain('%ERROR');
      await expect.poll(() => bounded.ask('!gAS64500\n', '127.0.0.2')).toBe(answer);
      const trusted = [1, 2, 3].map(() => bounded.open('127.0.0.1'));
      for (const { send, received } of trusted) {
        send('!!\n!gAS64500\n');
        await expect.poll(received).toBe(answer);
      }
    } finally {
      await bounded.stop();
    }
  });

  test('that are idle are closed when the service stops', async () => {
    const stopping = await startWhois(registry);
    const { send, received, closed } = stopping.open();
    send('!!\n!gAS64500\n');
    await expect.poll(received).toBe(answer);
    await stopping.stop();
    await closed;
  });

  test('500 of them end with a restart, and their clients connect again; an answer on its way is complete', async () => {
    const many = createRegistry();
    const prefixes = Array.from({ length: 20_000 }, (_, n) => `10.${n >> 8}.${n & 255}.0/24`);
    many.put(prefixes.map((prefix) => route(prefix, 'AS64500')).join('\n\n'));
    const whole = `A${prefixes.join(' ').length + 1}\n${prefixes.join(' ')}\nC\n`;
    const port = String(await reservePort());
    const stopping = await startWhois(many, { CADASTRE_WHOIS_PORT: port }, { drainMs: 3_600_000 });
    const idle = Array.from({ length: 500 }, () => stopping.open());
    for (const { send } of idle) send('!!\n!gAS64501\n');
    await Promise.all(idle.map(({ received }) => expect.poll(received).toBe('D\n')));
    const reading = stopping.open();
    reading.socket.pause();
    reading.send('!!\n!gAS64500\n');
    await new Promise((resolve) => reading.socket.once('readable', resolve));
    const stopped = stopping.stop();
    await Promise.all(idle.map(({ closed }) => closed));
    reading.socket.resume();
    await Promise.all([reading.closed, stopped]);
    expect(reading.received()).toBe(whole);
    const restarted = await startWhois(many, { CADASTRE_WHOIS_PORT: port });
    try {
      const again = await Promise.all(idle.map(() => restarted.ask('!gAS64501\n')));
      expect(new Set(again)).toEqual(new Set(['D\n']));
    } finally {
      await restarted.stop();
    }
  });
});

describe('behind a load balancer', () => {
  let balanced: RunningWhois;
  beforeAll(async () => {
    balanced = await startWhois(registry, {
      CADASTRE_PROXY_PROTOCOL_FROM: '127.0.0.2',
      CADASTRE_WHOIS_CONNECTIONS_PER_CLIENT: '1',
      CADASTRE_UNLIMITED_NETWORKS: '127.0.0.0/8',
    });
  });
  afterAll(() => balanced.stop());

  const version2 = Buffer.from('0d0a0d0a000d0a515549540a2111000cc00002077f00000100010002', 'hex');

  test.each<[string, string | Buffer]>([
    ['version 1', 'PROXY TCP4 192.0.2.7 127.0.0.1 1 2\r\n'],
    ['version 2', version2],
  ])('the header of the PROXY protocol names the client: %s', async (_version, header) => {
    const first = balanced.open('127.0.0.2');
    first.send(Buffer.concat([Buffer.from(header as string), Buffer.from('-k -q version\n')]));
    await expect.poll(first.received).toMatch(/\n\n\n$/);
    const second = Buffer.concat([Buffer.from(header as string), Buffer.from('-q version\n')]);
    expect(await balanced.ask(second, '127.0.0.2')).toMatch(/^%ERROR:306/m);
    first.send('-k\n');
    await first.closed;
  });

  test('a connection of the load balancer without one is closed', async () => {
    expect(await balanced.ask('!gAS64500\n', '127.0.0.2')).toBe('');
  });

  test('that of a stranger is no header', async () => {
    expect(await balanced.ask('PROXY TCP4 192.0.2.7 127.0.0.1 1 2\r\n!gAS64500\n')).not.toContain(answer);
  });
});

test('while the sets are not complete, commands that need them close the connection', async () => {
  const slow = createRegistry();
  slow.put(route('192.0.2.0/24', 'AS64500'));
  const release = slow.holdExports();
  const starting = await beginWhois(slow);
  try {
    expect(await starting.ask('!!\n!nclient\n!gAS64500\n!v\n')).toBe('C\n');
    release();
    await expect.poll(() => starting.ask('!gAS64500\n')).toBe(answer);
  } finally {
    await starting.stop();
  }
});
