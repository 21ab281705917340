import { expect, test } from 'vitest';
import { initials, placeholder, referredPlaceholder } from './auto-key.js';

test.each([
  ['Jane van Doe', 'JVD'],
  ['Plato', 'PA'],
  ['3rd Floor', 'FA'],
  ['One Two Three Four Five', 'OTTF'],
  ['42', 'AA'],
  ['Example Networks (NL) B.V.', 'ENB'],
])('initials of %s', (name, expected) => {
  expect(initials(name)).toBe(expected);
});

test('only the numbered part of a placeholder counts', () => {
  expect(['AUTO-1', 'auto-12XY', 'AUTO-', 'XAUTO-1'].map(placeholder)).toEqual([
    'auto-1',
    'auto-12',
    undefined,
    undefined,
  ]);
});

test('a mntner may have the name of a placeholder', () => {
  expect(referredPlaceholder(['person', 'role'], 'AUTO-1-MNT')).toBe('auto-1');
  expect(referredPlaceholder(['mntner'], 'AUTO-1-MNT')).toBeUndefined();
});
