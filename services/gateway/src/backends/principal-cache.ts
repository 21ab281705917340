import { hash, randomBytes } from 'node:crypto';
import type { AuthenticateRequest } from '@cadastre/proto/auth';
import type { Message, Principal } from '@cadastre/proto/registry';
import { LRUCache } from 'lru-cache';

/** The principal of credentials, and messages about them. */
export interface Identity {
  readonly principal: Principal;
  readonly notices: readonly Message[];
}

/** The cached result for the credentials of a request. */
export interface KnownIdentity {
  /** Their principal; absent when it is not cached. */
  readonly stored: Identity | undefined;
  /** Caches their principal for a time, unless anything changed since the lookup. */
  keep(identity: Identity, forMs: number): void;
}

/**
 * Caches the principals of credentials while the auth service reports changes (the credential follower of libs/limits).
 */
export interface PrincipalCache {
  /** Looks credentials up. Call it before the request to the auth service. */
  find(credentials: AuthenticateRequest): KnownIdentity;
  /** Removes all entries of an account. */
  forgetAccount(accountId: string): void;
  /** Sets whether the auth service reports changes. If not, clears the cache and stores nothing. */
  setFollowed(isFollowed: boolean): void;
}

/** Limits the memory for clients with many credentials; removed entries cost another request. */
const maxEntries = 10_000;

/**
 * Stores credentials only as a hash with a key of this process: a copy of the memory shows none, and no client can
 * provoke collisions in the map.
 */
export function createPrincipalCache(): PrincipalCache {
  const secret = randomBytes(32).toString('base64');
  const keysOfAccount = new Map<string, Set<string>>();
  const identities = new LRUCache<string, Identity>({
    max: maxEntries,
    dispose({ principal: { accountId } }, key) {
      const keys = keysOfAccount.get(accountId);
      keys?.delete(key);
      if (keys?.size === 0) keysOfAccount.delete(accountId);
    },
  });
  /** Grows with every change: an answer from before one may be outdated. */
  let changes = 0;
  let followed = false;

  const store = (key: string, identity: Identity, ttl: number) => {
    const { accountId } = identity.principal;
    identities.set(key, identity, { ttl });
    keysOfAccount.set(accountId, (keysOfAccount.get(accountId) ?? new Set()).add(key));
  };
  return {
    find(credentials) {
      if (!followed) return unknown;
      const key = hashOf(secret, credentials);
      const before = changes;
      return {
        stored: identities.get(key),
        keep(identity, forMs) {
          if (forMs > 0 && changes === before && followed) store(key, identity, forMs);
        },
      };
    },
    forgetAccount(accountId) {
      changes++;
      for (const key of [...(keysOfAccount.get(accountId) ?? [])]) identities.delete(key);
    },
    setFollowed(isFollowed) {
      if (followed === isFollowed) return;
      followed = isFollowed;
      changes++;
      identities.clear();
    },
  };
}

const unknown: KnownIdentity = { stored: undefined, keep: () => {} };

/**
 * Covers each credential as a string of JSON, so that no two requests hash the same bytes. Not an HMAC, whose objects
 * cost several times as much: clients never see the hashes, so they cannot extend the hashed data.
 */
function hashOf(secret: string, { basic, bearerToken, session, clientCertificate }: AuthenticateRequest): string {
  const certificate = clientCertificate.toString('base64');
  return hash('sha256', JSON.stringify([secret, basic, bearerToken, session, certificate]), 'base64');
}
