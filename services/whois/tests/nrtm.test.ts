import { once } from 'node:events';
import { createMetrics } from '@cadastre/service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authBackends } from './auth.fixture.js';
import { createRegistry, type Registry } from './registry.fixture.js';
import { beginWhois, type RunningWhois, startWhois } from './whois.fixture.js';

const mntner = `mntner:         A-MNT
upd-to:         a@example.net
auth:           MD5-PW $1$abcdefgh$abcdefghijklmnopqrstuv
mnt-by:         A-MNT
source:         TEST`;
const publicMntner = `mntner:         A-MNT
upd-to:         unread@example.invalid
auth:           MD5-PW $1$SaltSalt$DummifiedMD5HashValue. # Real value hidden for security
mnt-by:         A-MNT
source:         TEST
`;
const route = (prefix: string, source = 'TEST') =>
  `route:          ${prefix}\norigin:         AS64500\nmnt-by:         A-MNT\nsource:         ${source}`;
const person = 'person:         Alice Example\nnic-hdl:        AE1-TEST\nsource:         TEST';
const role = (more: string) => `role:           A Desk\n${more}nic-hdl:        AD1-TEST\nsource:         TEST`;
const publicRole = `role:           A Desk
abuse-mailbox:  unread@example.invalid
nic-hdl:        AD1-TEST
source:         TEST
`;

const head = `% This is the TEST registry query service.
% The objects are in RPSL format.
%
% Terms and conditions: https://registry.example/terms

`;
const env = {
  CADASTRE_GRS_SOURCES: 'OTHER-GRS',
  CADASTRE_TERMS_URL: 'https://registry.example/terms',
  CADASTRE_WHOIS_NRTM_CLIENTS: '127.0.0.0/29',
};

/** One answer to a range of version 3. */
const answer = (range: string, ...changes: string[]) =>
  `${head}%START Version: 3 TEST ${range}\n\n${changes.join('')}%END TEST\n\n\n`;

let registry: Registry;
let whois: RunningWhois;

beforeAll(async () => {
  registry = createRegistry(['TEST', 'OTHER-GRS']);
  registry.put(mntner); // 1
  registry.put(person); // 2
  registry.put(route('192.0.2.0/24')); // 3
  registry.put(route('198.51.100.0/24', 'TEST-NONAUTH')); // 4
  registry.put(role('abuse-mailbox:  a@example.net\n')); // 5
  registry.put(role('')); // 6
  registry.remove('route', '192.0.2.0/24AS64500'); // 7
  registry.remove('person', 'AE1-TEST'); // 8
  registry.put(route('203.0.113.0/24'), 'OTHER-GRS');
  whois = await startWhois(registry, env);
});
afterAll(() => whois.stop());

const all = [
  `ADD 1\n\n${publicMntner}\n`,
  `ADD 3\n\n${route('192.0.2.0/24')}\n\n`,
  `ADD 5\n\n${publicRole}\n`,
  `DEL 6\n\n${publicRole}\n`,
  `DEL 7\n\n${route('192.0.2.0/24')}\n\n`,
] as const;

test.each([
  ['all changes, without persons and secrets', '-g TEST:3:1-LAST', answer('1-8', ...all)],
  ['in any letter case, as whois(1) sends it', '-g test:3:1-last', answer('1-8', ...all)],
  ['after the name of an old client', '-V old-client -g TEST:3:1-LAST', answer('1-8', ...all)],
  ['a part of them', '-g TEST:3:3-6', answer('3-6', ...all.slice(1, 4))],
  ['a range without objects that are given away', '-g TEST:3:8-LAST', answer('8-8')],
  [
    'the non-authoritative part, which shares the serials',
    '-g TEST-NONAUTH:3:1-LAST',
    answer('1-8', `ADD 4\n\n${route('198.51.100.0/24', 'TEST-NONAUTH')}\n\n`).replaceAll(
      /TEST(?= 1-8|\n\n\n$)/g,
      'TEST-NONAUTH',
    ),
  ],
  [
    'without serials in version 1',
    '-g TEST:1:1-3',
    `${head}%START Version: 1 TEST 1-3\n\n${all
      .slice(0, 2)
      .join('')
      .replaceAll(/^(ADD) \d+/gm, '$1')}%END TEST\n\n\n`,
  ],
])('gives %s', async (_what, line, expected) => {
  expect(await whois.ask(`${line}\n`)).toBe(expected);
});

test.each<[string, Record<string, string>, BufferEncoding]>([
  ['ISO 8859-1', {}, 'latin1'],
  ['UTF-8, if the operator wants it', { CADASTRE_WHOIS_NRTM_CHARSET: 'utf8' }, 'utf8'],
])('objects are in %s', async (_what, more, charset) => {
  const own = createRegistry();
  own.put('organisation:   ORG-EX1-TEST\norg-name:       Z\u00fcrich\nsource:         TEST');
  const running = await startWhois(own, { ...env, CADASTRE_GRS_SOURCES: '', ...more });
  try {
    const received = Buffer.from(await running.ask('-g TEST:3:1-LAST\n'), 'latin1');
    expect(received.toString(charset)).toContain('org-name:       Z\u00fcrich\n');
  } finally {
    await running.stop();
  }
});

test.each([
  ['nothing newer', '-g TEST:3:9-LAST', '401: invalid range: Not within 1-8'],
  ['a serial to come', '-g TEST:3:5-9', '401: invalid range: Not within 1-8'],
  ['serials that begin with 0', '-g TEST:3:0-LAST', '401: invalid range: Not within 1-8'],
  ['a range that ends before it begins', '-g TEST:3:5-4', '401: invalid range: Not within 1-8'],
  ['far in the future, waiting', '-k -g TEST:3:10-LAST', '401: invalid range: Not within 1-8'],
  [
    'a copy of another registry',
    '-g OTHER-GRS:3:1-LAST',
    '402: OTHER-GRS is a copy of another registry: follow that registry',
  ],
  ['an unknown source', '-g NOPE:3:1-LAST', '403: unknown source NOPE'],
  ['a wrong form', '-g TEST:3', '405: syntax error: write -g SOURCE:3:FIRST-LAST'],
  ['no argument', '-g', '405: syntax error: write -g SOURCE:3:FIRST-LAST'],
  ['more words', '-g TEST:3:1-LAST now', '405: syntax error: write -g SOURCE:3:FIRST-LAST'],
  ['version 2', '-g TEST:2:1-LAST', '406: NRTM version mismatch: versions 1 and 3 are served'],
])('refuses %s', async (_what, line, error) => {
  expect(await whois.ask(`${line}\n`)).toBe(`${head}%ERROR:${error}\n\n\n`);
});

test('a role that was never published is not deleted, and its nic-hdl stays here', async () => {
  const own = createRegistry();
  own.put(role('')); // 1
  own.put(role('remarks:        changed\n')); // 2
  own.remove('role', 'AD1-TEST'); // 3
  own.put(route('192.0.2.0/24')); // 4
  const service = await startWhois(own, env);
  expect(await service.ask('-g TEST:3:1-LAST\n')).toBe(answer('1-4', `ADD 4\n\n${route('192.0.2.0/24')}\n\n`));
  await service.stop();
});

test('clients that are not listed may not follow', async () => {
  const refusal = '402: not authorised to follow a source from IP address 127.0.0.9';
  expect(await whois.ask('-g TEST:3:1-LAST\n', '127.0.0.9')).toBe(`${head}%ERROR:${refusal}\n\n\n`);
  expect(await whois.ask('-q sources\n', '127.0.0.9')).toContain('TEST:3:N:0-0\n');
  expect(await whois.ask('!jTEST\n', '127.0.0.9')).toBe('A11\nTEST:N:0-8\nC\n');
});

test('listed ones learn which changes there are', async () => {
  expect(await whois.ask('-q sources\n')).toContain(
    'TEST:3:X:1-8\nTEST-NONAUTH:3:X:1-8\nTEST-GRS:3:N:0-0\nOTHER-GRS:3:N:0-0\n',
  );
  expect(await whois.ask('!jTEST,TEST-NONAUTH,OTHER-GRS,NOPE\n')).toBe(
    'A70\nTEST:Y:0-8\nTEST-NONAUTH:Y:0-8\nOTHER-GRS:N:0-1\nNOPE:X:Database unknown\nC\n',
  );
  const [, json = ''] = /^A\d+\n(.*)C\n$/s.exec(await whois.ask('!JTEST\n')) ?? [];
  expect(JSON.parse(json).TEST).toMatchObject({
    ...{ local_journal_kept: true, serial_oldest_journal: 1, serial_newest_journal: 8, serial_newest_mirror: 8 },
  });
});

test('several answers on one connection', async () => {
  const sent = '!!\n-g TEST:3:8-8\n-g TEST:3:9-LAST\n!jTEST\n!q\n';
  const refusal = `${head}%ERROR:401: invalid range: Not within 1-8\n\n\n`;
  expect(await whois.ask(sent)).toBe(`${answer('8-8')}${refusal}A11\nTEST:Y:0-8\nC\n`);
});

describe('with a registry of its own', () => {
  const started: RunningWhois[] = [];
  afterAll(() => Promise.all(started.map((one) => one.stop())));
  const own = async (texts: string) => {
    const registry = createRegistry();
    registry.put(texts);
    const whois = await startWhois(registry, env);
    started.push(whois);
    return { registry, whois };
  };
  const begin = `${head}%START Version: 3 TEST 1-1\n\nADD 1\n\n${publicMntner}\n`;

  test('-k waits for further changes until the client closes its side', async () => {
    const { registry, whois } = await own(mntner);
    const { socket, send, received, closed } = whois.open();
    send('-k -g TEST:3:1-LAST\n');
    await expect.poll(received).toBe(begin);
    registry.put(route('192.0.2.0/24'));
    await expect.poll(received).toBe(`${begin}ADD 2\n\n${route('192.0.2.0/24')}\n\n`);
    socket.end('what it sends meanwhile is dropped\n');
    await closed;
    expect(received()).toBe(`${begin}ADD 2\n\n${route('192.0.2.0/24')}\n\n`);
  });

  test('-k may begin with the change that comes next', async () => {
    const { registry, whois } = await own(mntner);
    const { socket, send, received } = whois.open();
    send('-k -g TEST:3:2-LAST\n');
    await expect.poll(received).toBe(`${head}%START Version: 3 TEST 2-2\n\n`);
    registry.put(route('192.0.2.0/24'));
    await expect.poll(received).toContain('ADD 2\n');
    socket.destroy();
  });

  test('an address has one stream at a time', async () => {
    const { whois } = await own(mntner);
    const first = whois.open();
    first.send('-k -g TEST:3:1-LAST\n');
    await expect.poll(first.received).toBe(begin);
    expect(await whois.ask('-g TEST:3:1-LAST\n')).toContain('%ERROR:306: connections exceeded');
    expect(await whois.ask('-g TEST:3:1-LAST\n', '127.0.0.2')).toContain('%END TEST\n');
    first.socket.destroy();
    await expect.poll(() => whois.ask('-g TEST:3:1-LAST\n')).toContain('%END TEST\n');
  });

  test('a block ends a stream before its next change', async () => {
    const begun = Promise.withResolvers<void>();
    const block = { prefix: '127.0.0.2/32', reason: 'x', until: undefined, created: undefined, addedBy: '' };
    const watchCredentials = async function* (_request: unknown, { signal }: { signal: AbortSignal }) {
      yield { accountIds: [], blocks: undefined };
      await begun.promise;
      yield { accountIds: [], blocks: { blocks: [block] } };
      await once(signal, 'abort');
    };
    const registry = createRegistry();
    registry.put(mntner);
    const whois = await startWhois({ backends: { ...registry.backends, ...authBackends({ watchCredentials }) } }, env);
    started.push(whois);
    const { send, received, closed } = whois.open('127.0.0.2');
    send('-k -g TEST:3:1-LAST\n');
    await expect.poll(received).toBe(begin);
    begun.resolve();
    await expect.poll(() => whois.ask('help\n', '127.0.0.2')).toContain('%ERROR:201');
    registry.put(route('192.0.2.0/24'));
    await closed;
    expect(received()).toBe(begin);
  });

  test('the service ends waiting streams when it stops', async () => {
    const registry = createRegistry();
    registry.put(mntner);
    const whois = await beginWhois(registry, env, { drainMs: 3_600_000 });
    const { send, received, closed } = whois.open();
    send('-k -g TEST:3:1-LAST\n');
    await expect.poll(received).toBe(begin);
    await Promise.all([whois.stop(), closed]);
  });

  test('changes that the registry has forgotten are out of range', async () => {
    const { registry, whois } = await own(`${mntner}\n\n${route('192.0.2.0/24')}`);
    registry.trim(1);
    expect(await whois.ask('-g TEST:3:1-LAST\n')).toContain('%ERROR:401: invalid range: Not within 2-2\n');
    expect(await whois.ask('-g TEST:3:2-LAST\n')).toContain('ADD 2\n');
    registry.trim(2);
    expect(await whois.ask('-g TEST:3:2-LAST\n')).toContain('%ERROR:401: invalid range: There are no changes\n');
    expect(await whois.ask('-q sources\n')).toContain('TEST:3:N:0-0\n');
  });

  test('an object that moves to the other part of the main source is deleted where it was', async () => {
    const numbers = [1, 2, 3, 4];
    const at = (source: string, number: number, more = '') => `${route(`192.0.${number}.0/24`, source)}${more}`;
    const { registry, whois } = await own(numbers.map((number) => at('TEST', number)).join('\n\n')); // 1 to 4
    registry.put(at('TEST', 1, '\nremarks:        changed')); // 5
    registry.put(
      numbers
        .slice(1)
        .map((number) => at('TEST-NONAUTH', number))
        .join('\n\n'),
    ); // 6 to 8
    registry.put(at('TEST-NONAUTH', 2, '\nremarks:        changed')); // 9
    registry.put(at('TEST', 2)); // 10
    registry.remove('route', '192.0.3.0/24AS64500'); // 11
    const lines = async (source: string) =>
      [...(await whois.ask(`-g ${source}:3:5-LAST\n`)).matchAll(/^(ADD|DEL) (\d+)\n\n((?:.+\n)+)\n/gm)].map(
        ([, action, serial, text]) => `${action} ${serial} ${/192\.0\.\d/.exec(text!)} ${/TEST.*$/m.exec(text!)}`,
      );
    expect(await lines('TEST')).toEqual([
      'ADD 5 192.0.1 TEST',
      'DEL 6 192.0.2 TEST',
      'DEL 7 192.0.3 TEST',
      'DEL 8 192.0.4 TEST',
      'ADD 10 192.0.2 TEST',
    ]);
    expect(await lines('TEST-NONAUTH')).toEqual([
      'ADD 6 192.0.2 TEST-NONAUTH',
      'ADD 7 192.0.3 TEST-NONAUTH',
      'ADD 8 192.0.4 TEST-NONAUTH',
      'ADD 9 192.0.2 TEST-NONAUTH',
      'DEL 10 192.0.2 TEST-NONAUTH',
      'DEL 11 192.0.3 TEST-NONAUTH',
    ]);
    expect(await whois.ask('-g TEST:3:6-6\n')).toContain(`DEL 6\n\n${at('TEST', 2)}\n\n`);
    expect(await whois.ask('-g TEST-NONAUTH:3:10-10\n')).toContain(
      `DEL 10\n\n${at('TEST-NONAUTH', 2, '\nremarks:        Dummified')}\n\n`,
    );
    // When the registry no longer has the former object, the new text has the key.
    registry.forgetPast(8);
    expect((await lines('TEST'))[2]).toBe('DEL 7 192.0.3 TEST');
    expect((await lines('TEST'))[4]).toBe('DEL 9 192.0.2 TEST');
  });

  test('refusals are counted by what they mean to the operator', async () => {
    const registry = createRegistry();
    registry.put(`${mntner}\n\n${route('192.0.2.0/24')}`);
    registry.trim(1);
    const metrics = createMetrics('whois');
    const whois = await startWhois(registry, env, { metrics });
    started.push(whois);
    const { socket, send, received } = whois.open('127.0.0.2');
    send('-k -g TEST:3:2-LAST\n');
    await expect.poll(received).toContain('ADD 2\n');
    for (const [line, from] of [
      ['-g TEST:3:1-LAST'],
      ['-g TEST:3:1-2'],
      ['-g TEST:3:3-LAST'],
      ['-g TEST:3:4-LAST'],
      ['-g TEST:3:2-3'],
      ['-g TEST:3'],
      ['-g TEST:2:2-LAST'],
      ['-g NOWHERE:3:2-LAST'],
      ['-g OTHER-GRS:3:2-LAST'],
      ['-g TEST:3:2-LAST', '127.0.0.9'],
      ['-g TEST:3:2-LAST', '127.0.0.2'],
    ] as const) {
      expect(await whois.ask(`${line}\n`, from), line).toContain('%ERROR:');
    }
    socket.destroy();
    const { values } = await metrics.getSingleMetric('cadastre_whois_nrtm_refusals_total')!.get();
    expect(Object.fromEntries(values.map(({ labels, value }) => [labels.reason, value]))).toEqual({
      forgotten: 2,
      current: 1,
      ahead: 1,
      range: 1,
      request: 2,
      'unknown-source': 1,
      'not-authorised': 2,
      second: 1,
    });
  });

  test('an answer that breaks has no last line', async () => {
    // The feed breaks after a page of 500 changes.
    const { registry, whois } = await own(
      Array.from({ length: 501 }, (_, n) => route(`10.0.${n >> 8}.${n & 255}/32`)).join('\n\n'),
    );
    registry.breakFeed();
    const received = await whois.ask('-g TEST:3:1-LAST\n');
    expect(received).toContain('\nADD 500\n');
    expect(received).not.toMatch(/ADD 501|END|ERROR/);
  });

  test('a slow reader gets a long answer in pieces', async () => {
    const routes = Array.from({ length: 3_000 }, (_, n) => route(`10.${n >> 8}.${n & 255}.0/24`));
    const { whois } = await own(routes.join('\n\n'));
    const { socket, send, received, closed } = whois.open();
    socket.pause();
    send('-g TEST:3:1-LAST\n');
    await once(socket, 'readable');
    socket.resume();
    await closed;
    const expected = routes.map((text, n) => `ADD ${n + 1}\n\n${text}\n\n`).join('');
    expect(received()).toBe(`${head}%START Version: 3 TEST 1-3000\n\n${expected}%END TEST\n\n\n`);
  });
});
