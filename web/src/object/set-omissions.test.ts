import type { Omission } from '@cadastre/client';
import { expect, test } from 'vitest';
import { omissionText } from './set-omissions.js';

const route = { prefix: '192.0.2.0/24', origin: 'AS64500' };
const roa = { prefix: '192.0.2.0/23', 'max-length': 23, origin: 'AS64501' };

test.each<[Omission, string]>([
  [{ reason: 'unknown-set', set: 'AS-X', 'member-of': 'AS-EX' }, 'AS-X, a member of AS-EX, does not exist.'],
  [{ reason: 'set-of-other-source', set: 'AS-X', sources: ['A-GRS', 'B-GRS'] }, 'AS-X is only in A-GRS and B-GRS.'],
  [{ reason: 'too-large', set: 'AS-X', detail: 'Set AS-X has too many' }, 'Set AS-X has too many.'],
  [{ reason: 'excluded-set', set: 'AS-X' }, 'AS-X is excluded.'],
  [{ reason: 'other-source', ...route, sources: ['TEST-NONAUTH'] }, '192.0.2.0/24 of AS64500 is only in TEST-NONAUTH.'],
  [
    { reason: 'roa-invalid', ...route, sources: ['TEST'], roa },
    'ROAs make 192.0.2.0/24 of AS64500 invalid: a ROA for 192.0.2.0/23, up to /23, names AS64501.',
  ],
  [
    { reason: 'less-preferred', ...route, sources: ['RADB-GRS'] },
    '192.0.2.0/24 of AS64500 in RADB-GRS overlaps a route of a preferred source.',
  ],
  [{ reason: 'roa-invalid', ...route }, 'ROAs make 192.0.2.0/24 of AS64500 invalid.'],
  [{ reason: 'new-reason', ...route }, 'new-reason 192.0.2.0/24 AS64500'],
])('%j', (omission, text) => {
  expect(omissionText(omission)).toBe(text);
});
