import { expect, test } from 'vitest';
import { shortConflict } from './roa-text.js';

const warning = (end: string) =>
  `Warning: this ROUTE object conflicts with an RPKI ROA with a prefix 192.0.2.0/24 and ${end}\nAs a result, many autonomous systems may reject a BGP announcement.\n`;

test.each([
  ['a maximum length /24 but a different origin AS64511.', 'AS64511 may originate 192.0.2.0/24, at most /24'],
  ['a less specific maximum length /24 but same origin AS64500.', 'AS64500 may originate 192.0.2.0/24, at most /24'],
  [
    'a less specific maximum length /24 and a different origin AS64511.',
    'AS64511 may originate 192.0.2.0/24, at most /24',
  ],
  ['a maximum length /24 but a different origin AS0.', 'nobody may originate 192.0.2.0/24'],
])('%s: %s', (end, short) => {
  expect(shortConflict(warning(end))).toBe(short);
});

test('other texts remain', () => {
  expect(shortConflict('this route conflicts')).toBe('this route conflicts');
});
