import { AddressFamily, SetServiceService } from '@cadastre/proto/whois';
import {
  type AnswerMemory,
  type Call,
  connect,
  createAnswerMemory,
  createExpansionSlots,
  createLoopTurns,
  createMetrics,
} from '@cadastre/service';
import { testLogger } from '@cadastre/service/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { setHandlers } from '../src/rpc/index.js';
import type { IndexBounds } from '../src/sets/index-budget.js';
import type { SetIndex } from '../src/sets/set-index.js';
import { createSourceIndex } from '../src/sets/source-index.js';
import { createRegistry, type Registry } from './registry.fixture.js';
import { type beginWhois, type RunningWhois, startWhois } from './whois.fixture.js';

let running: RunningWhois | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await running?.stop();
  running = undefined;
});

async function start(
  registry: Registry,
  ...more: [Parameters<typeof beginWhois>[1], Parameters<typeof beginWhois>[2]]
) {
  running = await startWhois(registry, ...more);
  return running;
}

const end = 'mnt-by: A-MNT\nsource: TEST';
const route = (prefix: string, origin: string) => `route: ${prefix}\norigin: ${origin}\n${end}`;
const asSet = (name: string, members: readonly string[], more = '') =>
  `as-set: ${name}\nmembers: ${members.join(', ')}\n${more}${end}`;
const numbers = (count: number, first = 65_536) => Array.from({ length: count }, (_, n) => `AS${first + n}`);

/** Bounds that a test reaches soon. */
const bounds: IndexBounds = { setMembers: 100, maintainerMembers: 1_000_000, bytes: 100_000_000 };

/** A memory that counts. */
function counting(options: Parameters<typeof createAnswerMemory>[0] = {}) {
  const inner = createAnswerMemory(options);
  const counts = { used: 0, peak: 0 };
  const memory: AnswerMemory = {
    take(client, bytes) {
      const share = inner.take(client, bytes);
      counts.used += bytes;
      counts.peak = Math.max(counts.peak, counts.used);
      let isHeld = true;
      const release = () => {
        if (isHeld) counts.used -= bytes;
        isHeld = false;
        share.release();
      };
      const readUntil: typeof share.readUntil = (close) =>
        share.readUntil(() => {
          release();
          close();
        });
      return { release, readUntil };
    },
  };
  return { memory, counts };
}

test('350 as-sets of 270 kB leave whois answering RIPE-style queries', async () => {
  const registry = createRegistry();
  registry.put(`${route('192.0.2.0/24', 'AS64500')}\n\nmntner: A-MNT\nmnt-by: A-MNT\nsource: TEST`);
  // A tenth of the size, and a hundredth of the memory.
  for (let n = 0; n < 350; n++) registry.put(asSet(`AS-${n}X`, numbers(3_000)));
  const metrics = createMetrics('whois');
  const indexBounds = { ...bounds, setMembers: 50_000, bytes: 1_000_000 };
  const whois = await start(registry, {}, { indexBounds, metrics });
  expect(await whois.ask('-r -s TEST -T route -i mnt-by A-MNT\n')).toMatch(/^route: +192\.0\.2\.0\/24$/m);
  expect(await whois.ask('!gAS64500\n')).toBe('A13\n192.0.2.0/24\nC\n');
  expect(await whois.ask('!iAS-0X\n')).toMatch(/^A\d+\nAS65536 AS65537 .* AS68535\nC\n$/);
  expect(await whois.ask('!iAS-349X\n')).toBe('%% Set AS-349X is not expanded: the set index is full\n');
  const text = await metrics.metrics();
  expect(text).toMatch(/^cadastre_whois_set_index_ratio\S* (?:0\.9\d*|1)$/m);
  expect(text).toMatch(/^cadastre_whois_refused_sets\{.*source="TEST".*\} 2\d\d$/m);
});

describe('a set above the bound is refused by name', () => {
  const refused = '%% Set AS-BIG has more than 100 members and is not expanded\n';
  const put = () => {
    const registry = createRegistry();
    registry.put(asSet('AS-TOP', ['AS64500', 'AS-BIG']));
    registry.put(asSet('AS-BIG', numbers(101)));
    registry.put(route('192.0.2.0/24', 'AS64500'));
    return registry;
  };

  test.each(['!iAS-BIG', '!iAS-BIG,1', '!iAS-TOP,1', '!aAS-TOP', '!a6as-big'])(
    '%s says so and closes the connection: a shorter list would be a wrong filter',
    async (command) => {
      const whois = await start(put(), {}, { indexBounds: bounds });
      expect(await whois.ask(`!!\n${command}\n!v\n`)).toBe(refused);
    },
  );

  test('a gRPC caller gets its name', async () => {
    const { address } = await start(put(), {}, { indexBounds: bounds });
    const client = connect(SetServiceService, { address, deadlineMs: 60_000 });
    const request = { sources: [], routeSources: [], excludedSets: [], name: 'AS-TOP', aggregate: false, client: '' };
    const family = AddressFamily.ADDRESS_FAMILY_UNSPECIFIED;
    for (const byOrigin of [false, true]) {
      const pages = client.expandSet({ ...request, family, byOrigin })[Symbol.asyncIterator]();
      await expect(pages.next()).rejects.toMatchObject({
        kind: 'out-of-range',
        message: expect.stringContaining('Set AS-BIG has more than 100 members'),
      });
    }
    client.close();
  });

  test('others are not concerned, nor those that leave it out', async () => {
    const whois = await start(put(), {}, { indexBounds: bounds });
    expect(await whois.ask('!iAS-TOP\n')).toBe('A15\nAS-BIG AS64500\nC\n');
    expect(await whois.answers(['!eAS-BIG', '!aAS-TOP'])).toEqual(['C\n', 'A13\n192.0.2.0/24\nC\n']);
  });

  test('until it has fewer', async () => {
    const registry = put();
    const whois = await start(registry, {}, { indexBounds: bounds });
    expect(await whois.ask('!iAS-BIG\n')).toBe(refused);
    registry.put(asSet('AS-BIG', numbers(100)));
    await expect.poll(() => whois.ask('!iAS-BIG\n')).toMatch(/^A\d+\nAS65536 /);
    registry.put(asSet('AS-BIG', [], `mbrs-by-ref: ${Array.from({ length: 101 }, (_, n) => `M${n}-MNT`).join()}\n`));
    await expect.poll(() => whois.ask('!iAS-BIG\n')).toBe(refused);
    registry.remove('as-set', 'AS-BIG');
    await expect.poll(() => whois.ask('!iAS-BIG\n')).toBe('D\n');
  });

  test('the log names each version of it once', async () => {
    const registry = put();
    const warn = vi.spyOn(testLogger(), 'warn');
    const logged = () => warn.mock.calls.filter(([facts]) => (facts as { key?: string }).key === 'AS-BIG');
    const whois = await start(registry, {}, { indexBounds: bounds });
    await whois.ask('!iAS-BIG\n');
    expect(logged()).toEqual([
      [
        { source: 'TEST', type: 'as-set', key: 'AS-BIG', revision: 1, bound: 'set' },
        'object exceeds a bound of the set index',
      ],
    ]);
    registry.put(asSet('AS-BIG', numbers(102)));
    await expect.poll(() => logged().map(([facts]) => (facts as { revision?: number }).revision)).toEqual([1, 2]);
    warn.mockRestore();
  });

  test('members that join it count', async () => {
    const registry = createRegistry();
    registry.put(asSet('AS-BIG', numbers(98), 'mbrs-by-ref: ANY\n'));
    const whois = await start(registry, {}, { indexBounds: bounds });
    registry.put(`aut-num: AS64501\nmember-of: AS-BIG\n${end}`);
    await expect.poll(() => whois.ask('!iAS-BIG\n')).toMatch(/ AS65633\nC\n$/);
    registry.put(`aut-num: AS64502\nmember-of: AS-BIG\n${end}`);
    await expect.poll(() => whois.ask('!iAS-BIG\n')).toBe(refused);
    expect(await whois.ask('!iAS-BIG,1\n')).toBe(refused);
  });
});

test('the sets of one mntner have a bound together, and what it removes makes room', async () => {
  const registry = createRegistry();
  for (const n of [1, 2, 3]) registry.put(asSet(`AS-${n}X`, numbers(40)));
  registry.put(asSet('AS-OTHER', numbers(40)).replace('A-MNT', 'B-MNT, A-MNT'));
  registry.put(asSet('AS-SAME', numbers(40)).replace('A-MNT', 'a-mnt'));
  const whois = await start(registry, {}, { indexBounds: { ...bounds, maintainerMembers: 100 } });
  const names = ['AS-2X', 'AS-3X', 'AS-OTHER', 'AS-SAME'];
  const answers = await Promise.all(names.map((name) => whois.ask(`!i${name}\n`)));
  expect(answers.map((answer) => answer.slice(0, 2))).toEqual(['A3', '%%', 'A3', '%%']);
  expect(answers[1]).toBe('%% Set AS-3X is not expanded: the sets of its mntners have more than 100 members\n');
  registry.remove('as-set', 'AS-1X');
  registry.put(asSet('AS-3X', numbers(40)));
  await expect.poll(() => whois.ask('!iAS-3X\n')).toMatch(/^A3/);
});

test.each(['A-MNT, EVIL-MNT', 'EVIL-MNT, A-MNT', 'EVIL-MNT\nmnt-by: A-MNT'])(
  'sets that name a mntner beside their own use nothing of what it may have: %s',
  async (maintainers) => {
    const registry = createRegistry();
    for (const n of [1, 2, 3]) registry.put(asSet(`AS-${n}X`, numbers(40)).replace('A-MNT', maintainers));
    registry.put(asSet('AS-VICTIM', numbers(90)));
    const whois = await start(registry, {}, { indexBounds: { ...bounds, maintainerMembers: 100 } });
    expect(await whois.ask('!iAS-VICTIM\n')).toMatch(/^A\d+\nAS65536 /);
    expect(await whois.ask('!iAS-3X\n')).toMatch(/^%% /);
  },
);

test('six lines cannot end whois: an expansion takes no more than its bounds', async () => {
  const registry = createRegistry();
  // Each has all others: 40,000 members in all.
  const sets = Array.from({ length: 20 }, (_, n) => `AS-${n}X`);
  for (const [n, name] of sets.entries()) registry.put(asSet(name, [...sets, ...numbers(2_000, 65_536 + 2_000 * n)]));
  registry.put(
    asSet(
      'AS-NAMES',
      Array.from({ length: 5_000 }, (_, n) => `AS-N${n}`),
    ),
  );
  const { memory, counts } = counting();
  const whois = await start(registry, { CADASTRE_WHOIS_EXPANSION_MEMBERS: '4000' }, { memory });
  const refused = '%% Set AS-0X has more than 4000 members, 200 levels or 30 seconds of work\n';
  const lines = ['!iAS-0X,1', '!iAS-0X,1', '!aAS-0X', '!iAS-NAMES', '!iAS-NAMES', '!iAS-NAMES'];
  const answers = await Promise.all(lines.map((line) => whois.ask(`${line}\n`)));
  expect(answers.slice(0, 3)).toEqual([refused, refused, refused]);
  for (const answer of answers.slice(3)) expect(answer.split(' ')).toHaveLength(5_000);
  // 800 bytes for a member of one expansion at a time, with answers of 250 kB.
  expect(counts.peak).toBeLessThan(6_000_000);
  await expect.poll(() => counts.used).toBe(0);
});

test('ten GETs of a large set by one address run one at a time', async () => {
  const source = createSourceIndex(() => false);
  source.put({ type: 'as-set', key: 'AS-EX', text: asSet('AS-EX', numbers(1_001)) });
  const index = { names: ['TEST'], source: () => source, status: () => undefined } as unknown as SetIndex;
  const slots = createExpansionSlots();
  const now = new Map<string, number>();
  const max = new Map<string, number>();
  const counted: typeof slots = {
    run: (client, signal, work) =>
      slots.run(client, signal, async () => {
        const name = String(client);
        now.set(name, (now.get(name) ?? 0) + 1);
        max.set(name, Math.max(max.get(name) ?? 0, now.get(name)!));
        try {
          return await work();
        } finally {
          now.set(name, now.get(name)! - 1);
        }
      }),
  };
  const { memory } = counting();
  const { expandSet } = setHandlers({
    ...{ index, memory, slots: counted, turns: createLoopTurns(), maxMembers: 10_000 },
    findConflict: () => undefined,
  });
  const family = AddressFamily.ADDRESS_FAMILY_UNSPECIFIED;
  const selected = { sources: [], routeSources: [], excludedSets: [], name: 'AS-EX' };
  const request = { ...selected, family, aggregate: false, byOrigin: true };
  const begin = async (client: string) => {
    const call = { signal: new AbortController().signal, caller: 'gateway' } as Call;
    const pages = expandSet({ ...request, client }, call)[Symbol.asyncIterator]();
    return (await pages.next()).value;
  };
  const first = { serial: 0n, groups: [] };
  const all = await Promise.all([...Array(10).fill('2001:db8::'), '192.0.2.1', ''].map(begin));
  expect(all).toEqual(Array(12).fill(first));
  expect(Object.fromEntries(max)).toEqual({ '2001:db8::': 1, '192.0.2.1': 1, gateway: 1 });
});

describe('while large expansions have all slots', () => {
  const chain = Array.from({ length: 10 }, (_, n) =>
    asSet(`AS-CHAIN-${n}`, [`AS-CHAIN-${n + 1}`, ...numbers(99, 65_536 + 100 * n)]),
  );
  const begin = async (name: string, texts: readonly string[], waitMs = 1) => {
    const source = createSourceIndex(() => false);
    for (const text of texts) source.put({ type: 'as-set', key: text.split(/\s+/)[1]!, text });
    for (let n = 0; n < 30; n++) {
      source.put({
        type: 'route',
        key: `10.${n}.0.0/16AS64500`,
        text: `route: 10.${n}.0.0/16\norigin: AS64500\n${end}`,
      });
    }
    const slots = createExpansionSlots({ max: 1, waitMs });
    void slots.run('other', new AbortController().signal, () => new Promise(() => {}));
    const index = { names: ['TEST'], source: () => source, status: () => undefined } as unknown as SetIndex;
    const { memory, counts } = counting();
    const { expandSet, describeSet } = setHandlers({
      index,
      memory,
      slots,
      turns: createLoopTurns(),
      findConflict: () => undefined,
      maxMembers: 100_000,
    });
    const call = { signal: new AbortController().signal, caller: 'gateway' } as Call;
    const selected = { sources: [], routeSources: [], excludedSets: [], name, client: '192.0.2.1' };
    const family = AddressFamily.ADDRESS_FAMILY_UNSPECIFIED;
    const outcomes = [
      expandSet({ ...selected, family, aggregate: false, byOrigin: false }, call),
      expandSet({ ...selected, family, aggregate: false, byOrigin: true }, call),
      describeSet({ ...selected, depth: undefined, withPrefixes: true }, call),
    ].map(async (pages) => {
      try {
        for await (const _ of pages);
        return 'answered';
      } catch (error) {
        return (error as Error).message;
      }
    });
    return { outcomes: await Promise.all(outcomes), counts };
  };
  const answered = Array(3).fill('answered');
  const late = Array(3).fill('unavailable: Too many sets are being expanded');

  test.each([
    ['a small set', 'AS-SMALL', [asSet('AS-SMALL', numbers(900, 64_500))], answered],
    ['sets with few members together', 'AS-CHAIN-0', chain.slice(0, 9), answered],
    ['a large set', 'AS-LARGE', [asSet('AS-LARGE', numbers(1_001))], late],
    ['sets with many members together', 'AS-CHAIN-0', [...chain, asSet('AS-CHAIN-10', numbers(10))], late],
  ])('%s', async (_what, name, texts, expected) => {
    const { outcomes, counts } = await begin(name, texts);
    expect(outcomes).toEqual(expected);
    expect(counts.used).toBe(0);
  });
});

describe('answers to !o and !r that nobody reads', () => {
  const text = `${'remarks: nothing but text\n'.repeat(4_000)}${end}`;
  const prefixes = Array.from({ length: 60 }, (_, n) => `10.0.${n}.0/24`);
  const put = () => {
    const registry = createRegistry();
    for (const prefix of prefixes) registry.put(`route: ${prefix}\norigin: AS64500\n${text}`);
    return registry;
  };

  test.each(['!oA-MNT', '!r10.0.0.0/8,M'])('%s: they take what a client may have, until it is gone', async (line) => {
    const { memory, counts } = counting({ maxBytes: 100_000_000, maxBytesPerClient: 15_000_000 });
    const whois = await start(put(), {}, { memory });
    const readers = Array.from({ length: 4 }, () => whois.open());
    for (const { socket, send } of readers) {
      socket.pause();
      send(`!!\n${line}\n`);
    }
    await expect.poll(() => readers.filter(({ socket }) => socket.readableLength > 0).length).toBeGreaterThan(0);
    expect(counts.peak).toBeGreaterThan(6_000_000);
    expect(counts.peak).toBeLessThanOrEqual(15_000_000);
    // Another client is not affected.
    expect((await whois.ask(`${line}\n`, '127.0.0.2')).match(/^origin:/gm)).toHaveLength(60);
    for (const { socket } of readers) socket.destroy();
    await expect.poll(() => counts.used).toBe(0);
  });

  test('one that is read is complete, with its length, and takes nothing afterwards', async () => {
    const { memory, counts } = counting();
    const whois = await start(put(), {}, { memory });
    const [, length, data] = /^A(\d+)\n(.*\n)C\n$/s.exec(await whois.ask('!oA-MNT\n'))!;
    expect(data).toHaveLength(Number(length));
    expect(data!.split('\n\n').map((object) => /^route: +(\S+)/.exec(object)?.[1])).toEqual(prefixes);
    expect(await whois.ask('!r10.0.0.0/8,M,o\n')).toMatch(/^F /);
    expect(await whois.ask('!r10.0.0.0/24,o\n')).toBe('A8\nAS64500\nC\n');
    await expect.poll(() => counts.used).toBe(0);
  });
});

describe('what a client does not read is in its memory, in every dialect', () => {
  const megabytes = 10;
  const registry = createRegistry();
  registry.put(
    `route: 10.0.0.0/24\norigin: AS64500\n${`${`remarks: ${'x'.repeat(991)}\n`}`.repeat(1_000 * megabytes)}${end}`,
  );
  registry.put(`mntner: A-MNT\n${end}`);

  test.each(['!mroute,10.0.0.0/24AS64500', '-r -s TEST -T route -i mnt-by A-MNT'])('%s', async (line) => {
    const { memory, counts } = counting({ maxBytes: 100_000_000, maxBytesPerClient: 2.5e6 * megabytes });
    const whois = await start(registry, {}, { memory });
    const readers = Array.from({ length: 4 }, () => whois.open());
    for (const { socket, send } of readers) {
      socket.pause();
      send(`${line}\n`);
    }
    await expect.poll(() => counts.peak).toBeGreaterThan(1e6 * megabytes);
    expect(counts.peak).toBeLessThanOrEqual(2.5e6 * megabytes);
    // Another client is not affected.
    expect((await whois.ask(`${line}\n`, '127.0.0.2')).length).toBeGreaterThan(1e6 * megabytes);
    for (const { socket } of readers) socket.destroy();
    await expect.poll(() => counts.used).toBe(0);
  });

  test.each([
    ['queries', '-k\n', 'help\n'],
    ['commands', '!!\n', '!n\n'],
  ])('so are %s that wait', async (_what, first, line) => {
    // Ten milliseconds before a second ends, each of which lets one line through.
    let now = 1_999_999_999_990;
    vi.setSystemTime(now);
    const { memory, counts } = counting({ maxBytes: 1_000_000 });
    const whois = await start(registry, { CADASTRE_LIMITS: '127.0.0.2 queries=1' }, { memory });
    const waiting = Array.from({ length: 30 }, () => whois.open('127.0.0.2'));
    for (const { send } of waiting) send(`${first}${line.repeat(10_000)}`);
    const closed = () => waiting.filter(({ socket }) => socket.closed).length;
    await expect.poll(closed).toBeGreaterThan(10);
    expect(counts.used).toBeGreaterThan(200_000);
    expect(counts.peak).toBeLessThanOrEqual(1_000_000);
    // Few lines need none.
    expect(await whois.ask('!gAS64500\n')).toBe('A12\n10.0.0.0/24\nC\n');
    for (const { socket } of waiting) socket.destroy();
    await expect
      .poll(() => {
        now += 1_000;
        vi.setSystemTime(now);
        return counts.used;
      })
      .toBe(0);
  });
});
