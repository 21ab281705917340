import pg from 'pg';
import { expect, test } from 'vitest';
import { parseTimestamp } from './parse-timestamp.js';

test.each([
  '2026-11-22 15:15:37+00',
  '2026-11-22 15:15:37.6+00',
  '2026-11-22 15:15:37.62+00',
  '2026-11-22 15:15:37.627+00',
  '2026-11-22 15:15:37.627999+00',
  '1999-12-31 23:59:59.000001+00',
  '2024-02-29 00:00:00+00',
  '2026-11-22 15:15:37.5+01',
  '2026-11-22 15:15:37-03:30',
  '0099-01-01 00:00:00+00',
  '0044-03-15 00:00:00+00 BC',
  '12026-11-22 15:15:37+00',
  'infinity',
  '-infinity',
])('%s is read as pg reads it', (text) => {
  const parse = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text');
  expect(parseTimestamp(text)).toEqual(parse(text));
});
