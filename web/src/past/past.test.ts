import { expect, test } from 'vitest';
import { inputOfMoment, momentOfInput, pastOf, pastText } from './past.js';

test.each([
  ['', undefined],
  ['as-of=', undefined],
  ['as-of=4711', { 'as-of': '4711' }],
  ['version=3', { version: '3' }],
  ['version=3&as-of=2026-01-02', { 'as-of': '2026-01-02' }],
])('the address ?%s is of %j', (query, past) => {
  expect(pastOf(new URLSearchParams(query))).toEqual(past);
});

test.each([
  ['4711', 'serial 4711', ''],
  ['2026-01-02', '2026-01-02 00:00 UTC', '2026-01-02T00:00:00'],
  ['2026-01-02T03:04:05Z', '2026-01-02 03:04:05 UTC', '2026-01-02T03:04:05'],
  ['2026-01-02T03:04:00Z', '2026-01-02 03:04 UTC', '2026-01-02T03:04:00'],
  ['2026-01-02t03:04:05.5z', '2026-01-02 03:04:05.500 UTC', '2026-01-02T03:04:05'],
  ['2026-01-02T03:04:05+02:00', '2026-01-02 01:04:05 UTC', '2026-01-02T01:04:05'],
  ['2026-01-02T03:04:05 02:00', '2026-01-02 01:04:05 UTC', '2026-01-02T01:04:05'],
  ['2026-01-02T03:04:05', '2026-01-02T03:04:05', ''],
  ['2026-13-02', '2026-13-02', ''],
  ['yesterday', 'yesterday', ''],
])('the moment %s reads "%s", and its field has "%s"', (asOf, text, input) => {
  expect([pastText({ 'as-of': asOf }), inputOfMoment(asOf)]).toEqual([text, input]);
});

test('versions read as versions', () => {
  expect(pastText({ version: '3' })).toBe('version 3');
});

test.each([
  ['', ''],
  ['2026-01-02T03:04', '2026-01-02T03:04:00Z'],
  ['2026-01-02T03:04:05', '2026-01-02T03:04:05Z'],
])('the field with "%s" means the moment "%s"', (value, asOf) => {
  expect(momentOfInput(value)).toBe(asOf);
});
