import { type Account, foldName } from '../domain/account.js';
import type { Directory } from './directory.js';

const foundMs = 60_000;
const missingMs = 5000;
const maxEntries = 10_000;

interface Entry {
  account: Account | undefined;
  until: number;
}

/**
 * Remembers answers for a while: accounts for a minute, their absence for 5 seconds. Failures are not remembered. A
 * question that is waiting for its answer is not asked again.
 */
export function cachedDirectory(inner: Directory, now: () => Date): Directory {
  const entries = new Map<string, Entry>();
  const asked = new Map<string, Promise<Account | undefined>>();
  const keep = (key: string, account: Account | undefined) => {
    const oldest = entries.keys().next();
    if (entries.size >= maxEntries && !oldest.done) entries.delete(oldest.value);
    entries.delete(key);
    entries.set(key, { account, until: now().getTime() + (account ? foundMs : missingMs) });
    return account;
  };
  const askOnce = (key: string, find: () => Promise<Account | undefined>) => {
    const answer =
      asked.get(key) ??
      find()
        .then((account) => keep(key, account))
        .finally(() => asked.delete(key));
    asked.set(key, answer);
    return answer;
  };
  const through = async (key: string, find: () => Promise<Account | undefined>) => {
    const entry = entries.get(key);
    return entry && entry.until > now().getTime() ? entry.account : askOnce(key, find);
  };
  return {
    byName: (name) => through(`name ${foldName(name)}`, () => inner.byName(name)),
    byId: (id) => through(`id ${id}`, () => inner.byId(id)),
    create: async (name) => keep(`name ${foldName(name)}`, await inner.create(name)),
  };
}
