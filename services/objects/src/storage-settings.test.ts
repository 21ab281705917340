import { readSettings } from '@cadastre/service';
import { expect, test } from 'vitest';
import { storageSettings } from './storage-settings.js';

const quotaOf = (text: string) => readSettings(storageSettings, { CADASTRE_STORAGE_QUOTAS: text }).storageQuota;

test('limits have defaults; -1 is none, also in an exception', () => {
  expect(quotaOf('')).toEqual({ perDay: 50_000_000, perMntner: 1_000_000_000, overrides: new Map() });
  expect(quotaOf('account=7')).toEqual({ perDay: 7, perMntner: 1_000_000_000, overrides: new Map() });
  expect(quotaOf('account=-1, mntner=0, account:Alice@Example.net=5, mntner:EXAMPLE-MNT=-1')).toEqual({
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
    expect(() => quotaOf(entry)).toThrow('has an invalid element');
  },
);
