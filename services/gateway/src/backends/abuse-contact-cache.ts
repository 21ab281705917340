import type { Stored } from '@cadastre/rdap';
import { type ObjectTypeName, valuesOf } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import { LRUCache } from 'lru-cache';
import type { FindAbuseContact } from './abuse-contact-batcher.js';
import type { SourceCache } from './lookup-cache.js';

/** The abuse contacts of resources, from search. */
export interface AbuseContactCache extends SourceCache {
  /**
   * The handle of the abuse contact of a network or an aut-num; undefined when there is none. `parentKey` is the key of
   * the nearest network around it, null without one, and undefined if it is not known. Rejects with a ServiceError.
   */
  find(stored: Stored, parentKey: string | null | undefined, signal: AbortSignal): Promise<string | undefined>;
}

/** The attributes of an object that determine its contact, by the rule of search (ADR 0052). */
const ownAttributes = ['abuse-c', 'org', 'mnt-by', 'mnt-lower'];
const types: ReadonlySet<string> = new Set(['inetnum', 'inet6num', 'organisation', 'role'] satisfies ObjectTypeName[]);

/**
 * Networks with the same parent, abuse-c, organisation and mntners have the same contact. So this calls search once for
 * all of them, until an object changes that may determine a contact.
 */
export function createAbuseContactCache(
  findAbuseContact: FindAbuseContact,
  { source, max }: { source: string; max: number },
): AbuseContactCache {
  const cached = new LRUCache<string, { readonly handle: string | undefined }>({ max });
  let changes = 0;
  let followed = false;
  const ask = async (key: string, signal: AbortSignal) => {
    try {
      return (await findAbuseContact(key, signal)).role;
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'not-found') return undefined;
      throw error;
    }
  };
  const forgetAll = () => {
    changes++;
    cached.clear();
  };
  return {
    source,
    async find({ key, object }, parentKey, signal) {
      if (parentKey === undefined) return ask(key, signal);
      const kind = JSON.stringify([object.type, parentKey, ...ownAttributes.map((name) => valuesOf(object, name))]);
      const known = cached.get(kind);
      if (known) return known.handle;
      const before = changes;
      const handle = await ask(key, signal);
      if (followed && changes === before) cached.set(kind, { handle });
      return handle;
    },
    invalidate(name) {
      if (types.has(name.split('|', 2)[1]!)) forgetAll();
    },
    setFollowed(isFollowed) {
      followed = isFollowed;
      forgetAll();
    },
  };
}
