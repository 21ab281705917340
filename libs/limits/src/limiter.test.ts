import { createMetrics, readSettings } from '@cadastre/service';
import { fixedClock, testLogger } from '@cadastre/service/testing';
import { expect, test } from 'vitest';
import { createBlockList } from './blocked-networks.js';
import { createLimiter } from './limiter.js';
import { limitSettings } from './settings.js';

test('a client that paces itself gets what a window allows, and is not blocked for asking again', () => {
  const clock = fixedClock('2026-11-21T12:00:00.400Z');
  const metrics = createMetrics('test');
  const settings = readSettings(limitSettings, { CADASTRE_LIMITS_SEARCHES: '2', CADASTRE_LIMITS_BLOCK_AFTER: '1' });
  const limiter = createLimiter({
    settings: { ...settings, environment: 'test', source: 'TEST' },
    ...{ service: 'test', syncMs: 100, blockList: createBlockList(metrics), logger: testLogger(), metrics },
    now: () => clock.now().getTime(),
  });
  const client = limiter.clients.atAddress('192.0.2.1');
  const pace = () => limiter.pace(client, 'searches');
  expect([pace(), pace(), pace(), pace()]).toEqual([0, 0, 600, 600]);
  clock.advance(600);
  expect([pace(), pace(), pace()]).toEqual([0, 0, 1000]);
  expect(limiter.checkBlocked(client)).toBeUndefined();
  expect(limiter.pace(limiter.clients.atAddress('192.0.2.2'), 'searches')).toBe(0);
});
