import { expect, test } from 'vitest';
import { createRejectReasons, linesOf } from './reject-reasons.js';

function linesAbout(rejects: { name: string; reasons: string[] }[]): string[] {
  const reasons = createRejectReasons();
  for (const one of rejects) reasons.add(one);
  return linesOf(reasons.counts());
}

test('each reason has its number of objects and the first of them, the most frequent reason first', () => {
  expect(
    linesAbout([
      { name: 'route A', reasons: ['no origin'] },
      { name: 'person B', reasons: ['no source', 'no phone'] },
      { name: 'person C', reasons: ['no source'] },
    ]),
  ).toEqual([
    '2 rejected: no source (for example person B)',
    '1 rejected: no origin (for example route A)',
    '1 rejected: no phone (for example person B)',
  ]);
});

test('an object without a readable name gives no example', () => {
  expect(linesAbout([{ name: '', reasons: ['no object'] }])).toEqual(['1 rejected: no object']);
});

test('the lines are bounded, and what they leave out is counted', () => {
  const many = Array.from({ length: 5_000 }, (_, n) => ({
    name: 'x'.repeat(500),
    reasons: [`${n} ${'y'.repeat(500)}`],
  }));
  const lines = linesAbout(many);
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe('4980 rejected for other reasons');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(400);
});

test('control characters of foreign text are escapes', () => {
  expect(linesAbout([{ name: '\u001b[31m', reasons: ['bad\u0007'] }])).toEqual([
    '1 rejected: bad\\x07 (for example \\x1b[31m)',
  ]);
});
