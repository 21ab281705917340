import { createMetrics, readSettings } from '@cadastre/service';
import { fixedClock, testLogger } from '@cadastre/service/testing';
import { describe, expect, test } from 'vitest';
import { createBlockList } from './blocked-networks.js';
import { createLimiter } from './limiter.js';
import { limitSettings } from './settings.js';

const clock = fixedClock('2026-11-21T12:00:00.400Z');

function limiterOf(env: Record<string, string>) {
  const metrics = createMetrics('test');
  return createLimiter({
    settings: { ...readSettings(limitSettings, env), environment: 'test', source: 'TEST' },
    ...{ service: 'test', syncMs: 100, blockList: createBlockList(metrics), logger: testLogger(), metrics },
    now: () => clock.now().getTime(),
  });
}

test('what a client sees again counts once, what it may not see counts as nothing and is no refusal', () => {
  const limiter = limiterOf({
    CADASTRE_LIMITS: 'personal-objects=2 block-after=1, 198.51.100.0/24 exempt',
  });
  const at = (address: string) => (what: string) =>
    limiter.countOnce(limiter.clients.atAddress(address), 'personal-objects', what);
  const used = (address: string) =>
    limiter.usage(limiter.clients.atAddress(address)).find(({ name }) => name === 'personal-objects')?.used;
  const one = at('192.0.2.1');
  expect([one('a'), one('a'), one('b'), one('c'), one('a'), one('c')]).toEqual([true, true, true, false, true, false]);
  expect(used('192.0.2.1')).toBe(2);
  expect(limiter.checkBlocked(limiter.clients.atAddress('192.0.2.1'))).toBeUndefined();
  expect([at('192.0.2.2')('a'), used('192.0.2.2')]).toEqual([true, 1]);
  expect(['a', 'b', 'c'].map(at('198.51.100.1'))).toEqual([true, true, true]);
  clock.advance(24 * 60 * 60_000);
  expect([one('c'), used('192.0.2.1')]).toEqual([true, 1]);
});

test('a client that paces itself gets what a window allows, and is not blocked for asking again', () => {
  const limiter = limiterOf({ CADASTRE_LIMITS: 'searches=2 block-after=1' });
  const client = limiter.clients.atAddress('192.0.2.1');
  const pace = () => limiter.pace(client, 'searches');
  expect([pace(), pace(), pace(), pace()]).toEqual([0, 0, 600, 600]);
  clock.advance(600);
  expect([pace(), pace(), pace()]).toEqual([0, 0, 1000]);
  expect(limiter.checkBlocked(client)).toBeUndefined();
  expect(limiter.pace(limiter.clients.atAddress('192.0.2.2'), 'searches')).toBe(0);
});

describe('the networks around clients', () => {
  const inOneSite = (n: number) => `2001:db8:0:${(n * 0x100).toString(16)}::1`;
  const inOne56 = (n: number) => `2001:db8:0:1${n.toString(16).padStart(2, '0')}::1`;
  const onOneMachine = (n: number) => `127.0.${n}.1`;
  const unrelated = (n: number) => `2001:db8:${n.toString(16)}::1`;

  test.each<[string, (n: number) => string, number]>([
    ['a /56 may have twice what a client may', inOne56, 2],
    ['a /48 may have four times what a client may', inOneSite, 4],
    ['127.0.0.0/8 may have four times what a client may', onOneMachine, 4],
    ['other clients have all of their own', unrelated, 16],
  ])('%s', (_what, address, clients) => {
    const limiter = limiterOf({ CADASTRE_LIMITS: 'queries=3 concurrent-requests=2' });
    const all = Array.from({ length: 16 }, (_, n) => limiter.clients.atAddress(address(n)));
    const granted = (ask: (client: (typeof all)[number]) => boolean) =>
      all.flatMap((one) => [one, one, one, one]).filter(ask);
    expect(granted((one) => limiter.takeSlots(one, ['concurrent-requests']) === undefined)).toHaveLength(2 * clients);
    expect(granted((one) => limiter.count(one, 'queries') === undefined)).toHaveLength(3 * clients);
    clock.advance(1_000);
    expect(granted((one) => limiter.pace(one, 'queries') === 0)).toHaveLength(3 * clients);
    for (const one of all.slice(0, clients)) limiter.releaseSlots(one, ['concurrent-requests', 'concurrent-requests']);
    expect(granted((one) => limiter.takeSlots(one, ['concurrent-requests']) === undefined)).toHaveLength(2 * clients);
    clock.advance(1_000);
  });

  test('what is refused to one client takes nothing from its neighbours, and blocks none of them', () => {
    const limiter = limiterOf({ CADASTRE_LIMITS: 'queries=3 block-after=1' });
    const [greedy, second, third] = [0, 1, 2].map((n) => limiter.clients.atAddress(inOne56(n)));
    for (let n = 0; n < 100; n++) limiter.count(greedy!, 'queries');
    expect(limiter.checkBlocked(greedy!)).toMatchObject({ reason: 'blocked-for-a-time' });
    expect([1, 2, 3].map(() => limiter.count(second!, 'queries'))).toEqual([undefined, undefined, undefined]);
    expect(limiter.count(third!, 'queries')).toMatchObject({ reason: 'queries', client: third });
    expect(limiter.check(third!, 'queries')).toMatchObject({ reason: 'queries' });
    expect([second, third].map((one) => limiter.checkBlocked(one!))).toEqual([undefined, undefined]);
    // A client sees what it has used itself.
    expect(limiter.usage(third!).find(({ name }) => name === 'queries')).toMatchObject({ limit: 3, used: 1 });
    clock.advance(1_000);
  });

  test('have the higher limits of an override, and exempt addresses count for none', () => {
    const limiter = limiterOf({
      CADASTRE_LIMITS: '127.0.0.0/8 queries=-1, 2001:db8:0:100::/64 exempt, queries=3',
    });
    for (let n = 0; n < 100; n++) {
      expect(limiter.count(limiter.clients.atAddress(onOneMachine(n)), 'queries')).toBeUndefined();
      expect(limiter.count(limiter.clients.atAddress(inOne56(0)), 'queries')).toBeUndefined();
    }
    expect(limiter.count(limiter.clients.atAddress(inOne56(1)), 'queries')).toBeUndefined();
  });
});

test('costs are charged without a refusal, and refuse what comes next, until the window ends', () => {
  const limiter = limiterOf({ CADASTRE_LIMITS: 'bytes=40000 processing=-1' });
  const client = limiter.clients.atAddress('192.0.2.1');
  const account = limiter.clients.ofAccount({ id: 'a', name: 'a@example.net' }, client);
  const used = () => limiter.usage(client).find(({ name }) => name === 'bytes')?.used;
  for (const bytes of [16_383, 20_000, 20_000]) limiter.charge(client, 'bytes', bytes);
  limiter.charge(client, 'processing', 1e9);
  expect([used(), limiter.check(client, 'bytes'), limiter.check(client, 'processing')]).toEqual([
    40_000,
    undefined,
    undefined,
  ]);
  limiter.charge(client, 'bytes', 1e6);
  limiter.charge(account, 'bytes', 400_000);
  const leftMs = 60_000 - (clock.now().getTime() % 60_000);
  expect(limiter.check(client, 'bytes')).toMatchObject({ reason: 'bytes', retryAfterMs: leftMs });
  expect([limiter.pace(client, 'bytes', 0), limiter.check(account, 'bytes')]).toEqual([leftMs, undefined]);
  clock.advance(leftMs);
  expect([limiter.pace(client, 'bytes', 0), limiter.check(client, 'bytes'), used()]).toEqual([0, undefined, 0]);
});
