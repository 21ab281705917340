import { type Setting, setting, type Values } from '@cadastre/service';
import type { StorageQuota } from './domain/storage-quota.js';

/** Settings of the limits on stored bytes. */
export const storageSettings = {
  storageBytesPerDay: setting.integer({
    name: 'CADASTRE_STORAGE_BYTES_PER_DAY',
    doc: 'Bytes of object texts that an account, or a client without one, may store in a day (UTC); -1: no limit.',
    default: 50_000_000,
    min: -1,
  }),
  storageBytesPerMntner: setting.integer({
    name: 'CADASTRE_STORAGE_BYTES_PER_MNTNER',
    doc: 'Bytes of object texts, with their history, that a mntner may store in all; -1: no limit.',
    default: 1_000_000_000,
    min: -1,
  }),
  storageOverrides: overrides({
    name: 'CADASTRE_STORAGE_OVERRIDES',
    doc: 'Other such limits for single accounts (per day) and mntners (in all), in bytes; -1: no limit.',
  }),
};

/** The limits as configured. */
export function storageQuotaOf(settings: Values<typeof storageSettings>): StorageQuota {
  return {
    perDay: limitOf(settings.storageBytesPerDay),
    perMntner: limitOf(settings.storageBytesPerMntner),
    overrides: settings.storageOverrides,
  };
}

function limitOf(given: number): number {
  return given < 0 ? Infinity : given;
}

function overrides(names: { name: string; doc: string }): Setting<ReadonlyMap<string, number>> {
  const texts = setting.list({ ...names, default: [] });
  return {
    ...texts,
    form: 'account:NAME=BYTES,mntner:NAME=BYTES,...',
    fallback: new Map(),
    parse(text) {
      const parsed = texts.parse(text);
      if ('problem' in parsed) return parsed;
      const entries = parsed.value.map((one) => /^((?:account|mntner):[^\s=]+)=(-1|\d{1,15})$/i.exec(one));
      const wrong = entries.indexOf(null);
      if (wrong >= 0) return { problem: `has an invalid element: "${parsed.value[wrong]}"` };
      const limits = entries.map((one) => [one![1]!.toLowerCase(), limitOf(Number(one![2]))] as const);
      return { value: new Map(limits) };
    },
  };
}
