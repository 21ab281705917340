import { SettingsError } from '@cadastre/service';
import { describe, expect, it } from 'vitest';
import { readBenchSettings } from './bench-settings.ts';

describe('readBenchSettings', () => {
  it.each([
    ['the long form', {}, { quick: '0', objects: 200_000, rounds: 3, seconds: 1, base: 'HEAD~1' }],
    ['the short form', { BENCH_QUICK: '1' }, { quick: '1', objects: 20_000, rounds: 5, seconds: 1, base: 'HEAD~1' }],
    [
      'given values',
      { BENCH_QUICK: '1', BENCH_BASE: 'v1', BENCH_OBJECTS: '10000000', BENCH_ROUNDS: '7', BENCH_SECONDS: '9' },
      { base: 'v1', objects: 10_000_000, rounds: 7, seconds: 9 },
    ],
  ])('reads %s', (_, environment, expected) => {
    expect(readBenchSettings(environment)).toMatchObject(expected);
  });

  it.each([{ BENCH_QUICK: 'yes' }, { BENCH_OBJECTS: '999' }, { BENCH_OBJECTS: '10000001' }, { BENCH_ROUNDS: '0' }])(
    'refuses %j',
    (environment) => {
      expect(() => readBenchSettings(environment)).toThrow(SettingsError);
    },
  );
});
