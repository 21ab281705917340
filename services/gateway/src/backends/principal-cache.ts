import { hash, randomBytes } from 'node:crypto';
import type { AuthenticateRequest } from '@cadastre/proto/auth';
import type { Message, Principal } from '@cadastre/proto/registry';
import { LRUCache } from 'lru-cache';

/** Whom credentials prove, and messages about them. */
export interface Identity {
  readonly principal: Principal;
  readonly notices: readonly Message[];
}

/** What is known of the credentials of a request. */
export interface KnownIdentity {
  /** Whom they prove; absent when nothing is kept of them. */
  readonly stored: Identity | undefined;
  /** Keeps whom they prove for a time, unless anything changed since they were looked up. */
  keep(identity: Identity, forMs: number): void;
}

/** Keeps whom credentials prove while the auth service tells what changes (the credential follower of libs/limits). */
export interface PrincipalCache {
  /** Looks credentials up. Call it before the auth service is asked. */
  find(credentials: AuthenticateRequest): KnownIdentity;
  /** Forgets all that an account proved. */
  forgetAccount(accountId: string): void;
  /** Sets whether changes are told. If not, forgets everything and keeps nothing. */
  setFollowed(isFollowed: boolean): void;
}

/** Bounds what clients with many credentials cost; what is forgotten is asked again. */
const maxEntries = 10_000;

/**
 * Knows credentials by a hash with a key of this process, never by themselves: a copy of the memory shows none, and
 * nobody can aim at a key of the map.
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
  /** Grows with every change: an answer from before one may be out of date. */
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
 * cost several times as much: nobody sees the hashes, so nobody can append to what was hashed.
 */
function hashOf(secret: string, { basic, bearerToken, session, clientCertificate }: AuthenticateRequest): string {
  const certificate = clientCertificate.toString('base64');
  return hash('sha256', JSON.stringify([secret, basic, bearerToken, session, certificate]), 'base64');
}
