import { contactCard, entityTypes, type FindObject, type Stored, storedOf } from '@cadastre/rdap';
import { foldKey, type ObjectTypeName } from '@cadastre/rpsl';
import { createSlices } from '@cadastre/service';
import { LRUCache } from 'lru-cache';
import { type ObjectName, objectName, type SourceCache } from './lookup-cache.js';
import type { FindByKey } from './object-batcher.js';

/** The objects that many documents of RDAP show, such as contacts: parsed once, those of entities with their cards. */
export interface ObjectCache extends SourceCache {
  /** Returns the cached object, or looks it up, once for all concurrent callers. Rejects with a ServiceError. */
  readonly find: FindObject;
}

/** Approximate bytes of a cached object besides its text, and for each attribute. */
const entryOverhead = 300;
const attributeOverhead = 120;
/** The same for the part of an attribute in the card of an entity. */
const cardOverhead = 120;

interface Cached {
  readonly stored: Stored | undefined;
}

/**
 * Caches objects of at most `bytes` together, which all readers may see (`VIEW_UNFILTERED` without a principal), while
 * the change feed reports changes. Caches missing objects, too: objects may refer to objects that do not exist.
 */
export function createObjectCache(
  findByKey: FindByKey,
  { source, bytes }: { source: string; bytes: number },
): ObjectCache {
  const cached = new LRUCache<ObjectName, Cached>({ maxSize: bytes, sizeCalculation: sizeOf });
  const slice = createSlices();
  /** Running lookups, without those whose object has changed since: their answers may be outdated. */
  const requested = new Map<ObjectName, Promise<Stored | undefined>>();
  let followed = false;
  const ask = async (type: ObjectTypeName, key: string) => {
    const object = await findByKey({ type, key });
    if (object) await slice(object.text.length);
    const stored = object && storedOf(object);
    return stored && entityTypes.includes(type) ? { ...stored, card: contactCard(stored) } : stored;
  };
  const askOnce = (name: ObjectName, type: ObjectTypeName, key: string) => {
    const running = requested.get(name);
    if (running !== undefined) return running;
    const answer = ask(type, key);
    requested.set(name, answer);
    const end = (stored?: { readonly stored: Stored | undefined }) => {
      if (requested.get(name) !== answer) return;
      requested.delete(name);
      if (stored) cached.set(name, stored);
    };
    answer.then(
      (stored) => end({ stored }),
      () => end(),
    );
    return answer;
  };
  return {
    source,
    find(type, key) {
      if (!followed) return ask(type, key);
      const name = objectName(source, type, foldKey(type, key));
      const known = cached.get(name);
      return known ? known.stored : askOnce(name, type, key);
    },
    invalidate(name) {
      requested.delete(name);
      cached.delete(name);
    },
    setFollowed(isFollowed) {
      followed = isFollowed;
      requested.clear();
      cached.clear();
    },
  };
}

function sizeOf({ stored }: Cached, name: ObjectName): number {
  const fixed = entryOverhead + 2 * name.length;
  if (stored === undefined) return fixed;
  const each = attributeOverhead + (stored.card ? cardOverhead : 0);
  return stored.object.attributes.reduce((sum, { raw }) => sum + each + raw.length, fixed);
}
