import { createMetrics, readSettings } from '@cadastre/service';
import { fixedClock, testLogger } from '@cadastre/service/testing';
import { expect, test } from 'vitest';
import { createBlockList } from './blocked-networks.js';
import { createLimiter } from './limiter.js';
import { limitSettings } from './settings.js';

/** A limiter with these settings, and its clock. */
function limiterWith(env: Record<string, string>) {
  const clock = fixedClock('2026-11-21T12:00:00.400Z');
  const metrics = createMetrics('test');
  const limiter = createLimiter({
    settings: { ...readSettings(limitSettings, env), environment: 'test', source: 'TEST' },
    ...{ service: 'test', syncMs: 100, blockList: createBlockList(metrics), logger: testLogger(), metrics },
    now: () => clock.now().getTime(),
  });
  return { limiter, clock };
}

test('a client that paces itself gets what a window allows, and is not blocked for asking again', () => {
  const { limiter, clock } = limiterWith({ CADASTRE_LIMITS_SEARCHES: '2', CADASTRE_LIMITS_BLOCK_AFTER: '1' });
  const client = limiter.clients.atAddress('192.0.2.1');
  const pace = () => limiter.pace(client, 'searches');
  expect([pace(), pace(), pace(), pace()]).toEqual([0, 0, 600, 600]);
  clock.advance(600);
  expect([pace(), pace(), pace()]).toEqual([0, 0, 1000]);
  expect(limiter.checkBlocked(client)).toBeUndefined();
  expect(limiter.pace(limiter.clients.atAddress('192.0.2.2'), 'searches')).toBe(0);
});

test('costs are charged without a refusal, and refuse what comes next, until the window ends', () => {
  const { limiter, clock } = limiterWith({ CADASTRE_LIMITS_BYTES: '40000', CADASTRE_LIMITS_PROCESSING: '-1' });
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
  expect(limiter.check(client, 'bytes')).toMatchObject({ reason: 'bytes', retryAfterMs: 59_600 });
  expect([limiter.pace(client, 'bytes', 0), limiter.check(account, 'bytes')]).toEqual([59_600, undefined]);
  clock.advance(59_600);
  expect([limiter.pace(client, 'bytes', 0), limiter.check(client, 'bytes'), used()]).toEqual([0, undefined, 0]);
});
