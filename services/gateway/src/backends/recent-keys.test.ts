import { expect, it } from 'vitest';
import { createRecentKeys } from './recent-keys.js';

const nameOf = (index: number) => `TEST|person|xx${index}-test`;

it('recognises a name from the second time on', () => {
  const requested = createRecentKeys({ forMs: 10_000, clock: () => 0 });
  expect([nameOf(1), nameOf(2), nameOf(1), nameOf(1), nameOf(2)].map(requested.seenRecently)).toEqual([
    ...[false, false, true, true, true],
  ]);
});

it('recognises each of many names in turn', () => {
  const requested = createRecentKeys({ forMs: 10_000, clock: () => 0 });
  const names = Array.from({ length: 5_000 }, (_, index) => nameOf(index));
  expect(names.filter(requested.seenRecently)).toHaveLength(0);
  expect(names.filter(requested.seenRecently)).toHaveLength(names.length);
});

it('drops names in favour of later ones', () => {
  const requested = createRecentKeys({ forMs: 10_000, clock: () => 0 });
  const names = Array.from({ length: 600_000 }, (_, index) => nameOf(index));
  expect(names.filter(requested.seenRecently)).toHaveLength(0);
  expect(names.slice(0, 1_000).filter(requested.seenRecently).length).toBeLessThan(100);
  const latest = names.slice(-1_000);
  expect(latest.filter(requested.seenRecently).length).toBeGreaterThan(900);
});

it('drops a name after the time', () => {
  let now = 0;
  const requested = createRecentKeys({ forMs: 10_000, clock: () => now });
  const after = (ms: number) => {
    now += ms;
    return requested.seenRecently(nameOf(1));
  };
  expect([after(0), after(10_000), after(10_001), after(1)]).toEqual([false, true, false, true]);
});
