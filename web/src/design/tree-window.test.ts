import { expect, test } from 'vitest';
import { drawnRows, effectOf, type TreeRow, topFor } from './tree-window.js';

const scrolled = (top: number) => ({ rowHeight: 40, top, height: 400 });

test.each([
  [100, 0, 0, 18],
  [100, 2000, 42, 68],
  [100, 3600, 82, 100],
  [3, 0, 0, 3],
  [3, 4000, 0, 3],
  [0, 0, 0, 0],
])('of %i rows, scrolled by %i pixels, those from %i to %i are drawn', (count, top, first, end) => {
  expect(drawnRows(count, scrolled(top))).toEqual({ first, end });
});

test.each([
  [0, 2000, 0],
  [50, 2000, 2000],
  [59, 2000, 2000],
  [60, 2000, 2040],
])('row %i of a list scrolled by %i pixels is shown at %i', (row, top, to) => {
  expect(topFor(row, scrolled(top))).toBe(to);
});

const rows: TreeRow[] = [
  { depth: 0, isOpen: true },
  { depth: 1, isOpen: false },
  { depth: 1, isOpen: true },
  { depth: 2 },
  { depth: 0 },
];

test.each([
  ['ArrowDown', 0, { goTo: 1 }],
  ['ArrowDown', 4, { goTo: 4 }],
  ['ArrowUp', 0, { goTo: 0 }],
  ['PageDown', 1, { goTo: 3 }],
  ['PageUp', 1, { goTo: 0 }],
  ['Home', 3, { goTo: 0 }],
  ['End', 0, { goTo: 4 }],
  ['ArrowRight', 0, { goTo: 1 }],
  ['ArrowRight', 1, 'toggle'],
  ['ArrowRight', 3, undefined],
  ['ArrowLeft', 0, 'toggle'],
  ['ArrowLeft', 1, { goTo: 0 }],
  ['ArrowLeft', 3, { goTo: 2 }],
  ['ArrowLeft', 4, undefined],
  ['a', 0, undefined],
])('%s at row %i', (key, at, effect) => {
  expect(effectOf(key, rows, at, 2)).toEqual(effect);
});
