import { type Setting, setting } from '@cadastre/service';
import type { StorageQuota } from './domain/storage-quota.js';

const usual = { account: 50_000_000, mntner: 1_000_000_000 };

/** How many bytes may be stored. */
export const storageSettings = {
  storageQuota: quota({
    name: 'CADASTRE_STORAGE_QUOTAS',
    doc: 'Bytes of object texts that an account, or a client without one, may store in a day (UTC), and that a mntner may store in all, with their history; -1: no limit. Those of single ones come after a name: "account=10000000, account:alice@example.net=-1, mntner:EXAMPLE-MNT=20000000000".',
  }),
};

function quota(named: { name: string; doc: string }): Setting<StorageQuota> {
  const texts = setting.text({ ...named, default: `account=${usual.account}, mntner=${usual.mntner}` });
  return {
    ...texts,
    form: 'account=BYTES,mntner:NAME=BYTES,...',
    fallback: { perDay: usual.account, perMntner: usual.mntner, overrides: new Map() },
    parse(text) {
      const limits = new Map<string, number>();
      for (const part of text.split(',').map((one) => one.trim())) {
        const [, who, bytes] = /^((?:account|mntner)(?::[^\s=]+)?)=(-1|\d{1,15})$/i.exec(part) ?? [];
        if (who === undefined) return { problem: `has an invalid element: "${part}"` };
        limits.set(who.toLowerCase(), bytes === '-1' ? Infinity : Number(bytes));
      }
      const { account: perDay, mntner: perMntner } = { ...usual, ...Object.fromEntries(limits) };
      for (const name of Object.keys(usual)) limits.delete(name);
      return { value: { perDay, perMntner, overrides: limits } };
    },
  };
}
