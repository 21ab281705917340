import { randomUUID } from 'node:crypto';
import { ServiceError } from '@cadastre/service';
import type { Pool } from 'pg';
import type { Account } from '../domain/account.js';
import { accountById, accountByName, rememberAccount } from '../store/accounts.js';
import type { Directory } from './directory.js';

/**
 * The accounts that were seen before: all there is without an identity provider. Where `creates` is set, further ones
 * are made here; their subjects mean nothing to an identity provider that comes later.
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
 * Stores every account when it appears. When the directory is away, an account is still known by its subject, which
 * never changes hands; names do, so they are not looked up here.
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
