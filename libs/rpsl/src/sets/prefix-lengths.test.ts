import { expect, test } from 'vitest';
import { formatPrefixLengths, parsePrefixLengths, withOperator } from './prefix-lengths.js';

test.each([
  ['192.0.2.0/24', '192.0.2.0/24'],
  ['192.0.2.0/24^24-32', '192.0.2.0/24^+'],
  ['192.0.2.0/24^25-32', '192.0.2.0/24^-'],
  ['192.0.2.0/24^26-26', '192.0.2.0/24^26'],
  ['2001:DB8::/32^+', '2001:db8::/32^+'],
  ['192.0.2.0/32^-', undefined],
  ['192.0.2.1/24', undefined],
  ['192.0.2.0', undefined],
  ['AS64500^+', undefined],
])('%s reads as %s', (text, shortest) => {
  const read = parsePrefixLengths(text);
  expect(read && formatPrefixLengths(read)).toBe(shortest);
});

test.each([
  ['192.0.2.0/24^25-26', '^26-28', '192.0.2.0/24^26-28'],
  ['192.0.2.0/24^25-26', '^24', undefined],
  ['192.0.2.0/24^25-26', '^+', '192.0.2.0/24^-'],
  ['192.0.2.0/24^25-26', '^-', '192.0.2.0/24^26-32'],
  ['192.0.2.0/24', '^64', undefined],
])('%s with %s has %s', (text, operator, result) => {
  const ranged = withOperator(parsePrefixLengths(text)!, operator);
  expect(ranged && formatPrefixLengths(ranged)).toBe(result);
});
