import { expect, it } from 'vitest';
import { createAskedNames } from './asked-names.js';

const nameOf = (index: number) => `TEST|person|xx${index}-test`;

it('knows a name from the second time on', () => {
  const asked = createAskedNames({ forMs: 10_000, clock: () => 0 });
  expect([nameOf(1), nameOf(2), nameOf(1), nameOf(1), nameOf(2)].map(asked.noteAgain)).toEqual([
    ...[false, false, true, true, true],
  ]);
});

it('knows each of many names that are asked for in turn', () => {
  const asked = createAskedNames({ forMs: 10_000, clock: () => 0 });
  const names = Array.from({ length: 5_000 }, (_, index) => nameOf(index));
  expect(names.filter(asked.noteAgain)).toHaveLength(0);
  expect(names.filter(asked.noteAgain)).toHaveLength(names.length);
});

it('forgets in favour of later names', () => {
  const asked = createAskedNames({ forMs: 10_000, clock: () => 0 });
  const names = Array.from({ length: 600_000 }, (_, index) => nameOf(index));
  expect(names.filter(asked.noteAgain)).toHaveLength(0);
  expect(names.slice(0, 1_000).filter(asked.noteAgain).length).toBeLessThan(100);
  const latest = names.slice(-1_000);
  expect(latest.filter(asked.noteAgain).length).toBeGreaterThan(900);
});

it('forgets a name after the time', () => {
  let now = 0;
  const asked = createAskedNames({ forMs: 10_000, clock: () => now });
  const after = (ms: number) => {
    now += ms;
    return asked.noteAgain(nameOf(1));
  };
  expect([after(0), after(10_000), after(10_001), after(1)]).toEqual([false, true, false, true]);
});
