import { describe, expect, it } from 'vitest';
import { figure, paragraph, table } from './markdown.ts';

it('writes tables with figures on the right', () => {
  expect(
    table(
      ['', 'a'],
      [
        ['x', '1'],
        ['y', ''],
      ],
    ),
  ).toBe('| | a |\n|---|---:|\n| x | 1 |\n| y | |');
});

it('breaks paragraphs after at most 120 characters', () => {
  const text = paragraph(Array.from({ length: 60 }, (_, n) => `word${n}`).join('  '));
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  expect(text.split(/\s/)).toHaveLength(60);
});

describe('figure', () => {
  it.each([
    [undefined, ''],
    [Number.NaN, ''],
    [0, '0'],
    [0.01234, '0.012'],
    [0.1234, '0.12'],
    [1.234, '1.23'],
    [12.345, '12.3'],
    [123.4, '123'],
    [1_234_567, '1,234,567'],
  ])('%d is "%s"', (value, text) => {
    expect(figure(value)).toBe(text);
  });
});
