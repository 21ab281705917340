import { expect, test } from 'vitest';
import { isDumpDue, timeOfDay } from './schedule.js';

test.each([
  ['00:00', 0],
  ['03:30', 12_600_000],
  ['23:59', 86_340_000],
  ['24:00', undefined],
  ['3:30', undefined],
  ['03:60', undefined],
  ['', undefined],
])('the time of day %o is %o ms after midnight', (text, ms) => {
  expect(timeOfDay(text)).toBe(ms);
});

test.each([
  [undefined, '03:30', '2026-01-02T00:00:00Z', true],
  ['2026-01-01T03:30:00Z', '03:30', '2026-01-02T03:29:59Z', false],
  ['2026-01-01T03:30:00Z', '03:30', '2026-01-02T03:30:00Z', true],
  ['2026-01-01T03:29:59Z', '03:30', '2026-01-01T03:30:00Z', true],
  ['2026-01-01T12:00:00Z', '03:30', '2026-01-01T23:59:59Z', false],
  ['2026-01-01T12:00:00Z', '03:30', '2026-01-09T00:00:00Z', true],
  ['2026-01-01T23:59:59Z', '00:00', '2026-01-02T00:00:00Z', true],
])('after a dump that began at %s, one for %s is due at %s: %o', (began, time, now, due) => {
  expect(isDumpDue(began === undefined ? undefined : new Date(began), time, new Date(now))).toBe(due);
});
