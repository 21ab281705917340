import { expect, it } from 'vitest';
import { durationText } from './progress.ts';

it.each([
  [400, '0 s'],
  [89_000, '89 s'],
  [90_000, '2 min'],
  [60 * 60_000, '60 min'],
  [125 * 60_000, '2 h 5 min'],
])('%d ms is "%s"', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
