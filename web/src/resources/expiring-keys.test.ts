import { expect, test } from 'vitest';
import { expiringKeys } from './expiring-keys.js';

test('keys that expire within 30 days, the first one first', () => {
  const key = (id: string, expires: string, revoked?: string) => ({
    ...{ id, name: id, created: '2026-01-01T00:00:00Z', expires },
    ...(revoked && { revoked }),
  });
  const keys = [
    key('in a month', '2026-03-03T00:00:00Z'),
    key('tomorrow', '2026-02-02T00:00:00Z'),
    key('in two months', '2026-04-01T00:00:00Z'),
    key('yesterday', '2026-01-31T00:00:00Z'),
    key('revoked', '2026-02-03T00:00:00Z', '2026-01-02T00:00:00Z'),
  ];
  expect(expiringKeys(keys, Date.parse('2026-02-01T00:00:00Z')).map(({ id }) => id)).toEqual([
    'tomorrow',
    'in a month',
  ]);
});
