import { expect, test } from 'vitest';
import { afterKey, closed } from './search-box.js';

const open = (active: number) => ({ isOpen: true, active });

test.each([
  ['ArrowDown', closed, 3, open(-1)],
  ['ArrowDown', open(-1), 3, open(0)],
  ['ArrowDown', open(2), 3, open(-1)],
  ['ArrowUp', open(-1), 3, open(2)],
  ['ArrowUp', open(0), 3, open(-1)],
  ['Escape', open(1), 3, closed],
  ['Escape', closed, 3, undefined],
  ['ArrowUp', closed, 3, undefined],
  ['ArrowDown', open(-1), 0, undefined],
  ['Enter', open(1), 3, undefined],
  ['a', open(1), 3, undefined],
])('%s with %j of %i options: %j', (key, before, options, after) => {
  expect(afterKey(key, before, options)).toEqual(after);
});
