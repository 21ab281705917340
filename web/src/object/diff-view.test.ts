import { diffLines } from '@cadastre/rpsl';
import { expect, test } from 'vitest';
import { nearChanges } from './diff-view.js';

test('shows only lines near a change, and marks gaps', () => {
  const lines = diffLines('1\n2\n3\n4\n5\n6\n7\n', '1\n2\n3\nx\n5\n6\n7\n');
  expect(nearChanges(lines, 1).map(({ text }) => text)).toEqual(['…', '3', '4', 'x', '5', '…']);
});
