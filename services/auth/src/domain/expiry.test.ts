import { expect, test } from 'vitest';
import { endsSoon, isAllowedExpiry, latestExpiry } from './expiry.js';

test.each([
  ['2026-11-21T12:00:00Z', '2027-11-21T12:00:00.000Z'],
  ['2027-06-01T00:00:00Z', '2028-06-01T00:00:00.000Z'],
  ['2028-02-29T00:00:00Z', '2029-03-01T00:00:00.000Z'],
])('a key made %s ends %s at the latest', (now, latest) => {
  expect(latestExpiry(new Date(now)).toISOString()).toBe(latest);
});

const now = new Date('2026-11-21T12:00:00Z');

test.each([
  ['2026-11-21T12:00:00Z', false],
  ['2026-11-21T12:00:01Z', true],
  ['2027-11-21T12:00:00Z', true],
  ['2027-11-21T12:00:01Z', false],
  ['not a date', false],
])('an expiry at %s is allowed: %s', (expires, allowed) => {
  expect(isAllowedExpiry(new Date(expires), now)).toBe(allowed);
});

test.each([
  ['2026-12-05T12:00:00Z', true],
  ['2026-12-05T12:00:01Z', false],
])('a key that ends %s is due: %s', (expires, due) => {
  expect(endsSoon(new Date(expires), now)).toBe(due);
});
