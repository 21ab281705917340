import { randomUUID } from 'node:crypto';
import { ServiceError } from '@cadastre/service';
import type { Pool } from 'pg';
import { type Account, foldName } from '../domain/accounts.js';
import { accountById, accountByName, rememberAccount } from '../store/accounts.js';

/** How to look up an account. */
interface LookupOptions {
  /** Bypasses the cache. */
  fresh: boolean;
}

/** Finds accounts. Throws a ServiceError "unavailable" when it gets no answer. */
export interface Directory {
  /** Any letter case. */
  byName(name: string, options?: LookupOptions): Promise<Account | undefined>;
  byId(id: string, options?: LookupOptions): Promise<Account | undefined>;
  /** Creates an account, or returns the existing one; `undefined` if accounts cannot be created. */
  create(name: string): Promise<Account | undefined>;
}

/**
 * The accounts that this service has seen: the only ones without an identity provider. With `creates` it also creates
 * accounts; an identity provider that is added later does not know their subjects.
 */
export function storedDirectory(pool: Pool, o: { creates: boolean; now: () => Date }): Directory {
  return {
    byName: (name) => accountByName(pool, name),
    byId: (id) => accountById(pool, id),
    async create(name) {
      if (!o.creates) return undefined;
      const account = { id: randomUUID(), name };
      await rememberAccount(pool, account, o.now());
      return account;
    },
  };
}

/**
 * Stores every account that the inner directory returns. While that is unavailable, finds stored accounts by subject: a
 * subject never moves to another account. A name may, so it is not looked up.
 */
export function rememberingDirectory(inner: Directory, pool: Pool, now: () => Date): Directory {
  const remember = async (account: Account | undefined) => {
    if (account) await rememberAccount(pool, account, now());
    return account;
  };
  return {
    byName: async (name) => remember(await inner.byName(name)),
    create: async (name) => remember(await inner.create(name)),
    async byId(id) {
      try {
        return await remember(await inner.byId(id));
      } catch (error) {
        const known = error instanceof ServiceError ? await accountById(pool, id) : undefined;
        if (known) return known;
        throw error;
      }
    },
  };
}

const foundMs = 60_000;
const missingMs = 5000;
const maxEntries = 10_000;

/**
 * Caches what the inner directory returns: an account for a minute, its absence for 5 seconds, failures not at all.
 * Concurrent lookups of one account share one request.
 */
export function cachedDirectory(inner: Directory, now: () => Date): Directory {
  const entries = new Map<string, { account: Account | undefined; until: number }>();
  const pending = new Map<string, Promise<Account | undefined>>();
  const keep = (key: string, account: Account | undefined) => {
    const oldest = entries.keys().next();
    if (entries.size >= maxEntries && !oldest.done) entries.delete(oldest.value);
    entries.delete(key);
    entries.set(key, { account, until: now().getTime() + (account ? foundMs : missingMs) });
    return account;
  };
  const request = (key: string, find: () => Promise<Account | undefined>) => {
    const reply =
      pending.get(key) ??
      find()
        .then((account) => keep(key, account))
        .finally(() => pending.delete(key));
    pending.set(key, reply);
    return reply;
  };
  const lookUp = async (key: string, find: () => Promise<Account | undefined>, options?: LookupOptions) => {
    const entry = options?.fresh ? undefined : entries.get(key);
    return entry && entry.until > now().getTime() ? entry.account : request(key, find);
  };
  return {
    byName: (name, options) => lookUp(`name ${foldName(name)}`, () => inner.byName(name), options),
    byId: (id, options) => lookUp(`id ${id}`, () => inner.byId(id), options),
    create: async (name) => keep(`name ${foldName(name)}`, await inner.create(name)),
  };
}
