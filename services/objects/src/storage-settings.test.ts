import { readSettings } from '@cadastre/service';
import { expect, test } from 'vitest';
import { storageQuotaOf, storageSettings } from './storage-settings.js';

const quotaOf = (env: Record<string, string>) => storageQuotaOf(readSettings(storageSettings, env));

test('limits have defaults; -1 is none, also in an exception', () => {
  expect(quotaOf({})).toEqual({ perDay: 50_000_000, perMntner: 1_000_000_000, overrides: new Map() });
  const given = {
    CADASTRE_STORAGE_BYTES_PER_DAY: '-1',
    CADASTRE_STORAGE_BYTES_PER_MNTNER: '0',
    CADASTRE_STORAGE_OVERRIDES: 'account:Alice@Example.net=5, mntner:EXAMPLE-MNT=-1',
  };
  expect(quotaOf(given)).toEqual({
    perDay: Infinity,
    perMntner: 0,
    overrides: new Map([
      ['account:alice@example.net', 5],
      ['mntner:example-mnt', Infinity],
    ]),
  });
});

test.each(['EXAMPLE-MNT=5', 'mntner:EXAMPLE-MNT', 'mntner:EXAMPLE-MNT=1GB', 'address:192.0.2.1=5', 'mntner:A=-2'])(
  'refuses the exception %j',
  (entry) => {
    expect(() => quotaOf({ CADASTRE_STORAGE_OVERRIDES: entry })).toThrow('has an invalid element');
  },
);
