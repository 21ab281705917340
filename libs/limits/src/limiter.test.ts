import { createMetrics, readSettings } from '@cadastre/service';
import { fixedClock, testLogger } from '@cadastre/service/testing';
import { expect, test } from 'vitest';
import { createBlockList } from './blocked-networks.js';
import { createLimiter } from './limiter.js';
import { limitSettings } from './settings.js';

function limiterWith(settings: Readonly<Record<string, string>>) {
  const clock = fixedClock('2026-11-21T12:00:00.400Z');
  const metrics = createMetrics('test');
  const limiter = createLimiter({
    settings: { ...readSettings(limitSettings, settings), environment: 'test', source: 'TEST' },
    ...{ service: 'test', syncMs: 100, blockList: createBlockList(metrics), logger: testLogger(), metrics },
    now: () => clock.now().getTime(),
  });
  return { clock, limiter };
}

test('what a client sees again counts once, what it may not see counts as nothing and is no refusal', () => {
  const { clock, limiter } = limiterWith({
    CADASTRE_LIMITS_PERSONAL_OBJECTS: '2',
    CADASTRE_LIMITS_BLOCK_AFTER: '1',
    CADASTRE_LIMITS_EXEMPT: '198.51.100.0/24',
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
  const { clock, limiter } = limiterWith({ CADASTRE_LIMITS_SEARCHES: '2', CADASTRE_LIMITS_BLOCK_AFTER: '1' });
  const client = limiter.clients.atAddress('192.0.2.1');
  const pace = () => limiter.pace(client, 'searches');
  expect([pace(), pace(), pace(), pace()]).toEqual([0, 0, 600, 600]);
  clock.advance(600);
  expect([pace(), pace(), pace()]).toEqual([0, 0, 1000]);
  expect(limiter.checkBlocked(client)).toBeUndefined();
  expect(limiter.pace(limiter.clients.atAddress('192.0.2.2'), 'searches')).toBe(0);
});
