import type { WriteResult } from '@cadastre/proto/objects';
import type { RegistryObject } from '@cadastre/proto/registry';
import { foldKey, type ObjectTypeName } from '@cadastre/rpsl';
import { LRUCache } from 'lru-cache';
import type { Format } from '../format/writer.js';

/** Names an object over all spellings of its source, type and key. */
export type ObjectName = string;

/** The name of an object; its type in full and lower case, its key folded. */
export function objectName(source: string, type: ObjectTypeName, foldedKey: string): ObjectName {
  return `${source.toUpperCase()}|${type}|${foldedKey}`;
}

/** The name of an object as services answer it. */
export function storedName({ source, type, key }: Pick<RegistryObject, 'source' | 'type' | 'key'>): ObjectName {
  const known = type as ObjectTypeName;
  return objectName(source, known, foldKey(known, key));
}

/** A rendered answer. */
export interface KeptAnswer {
  readonly format: Format;
  readonly content: Buffer;
  readonly entityTag: string;
  /** Whether it shows a personal object, which counts against the client's limit each time. */
  readonly isPersonal: boolean;
}

/** A lookup that is under way; its answer may be kept only if its object did not change meanwhile. */
export interface PendingLookup {
  /** Keeps the answer under the key of its request, unless it is out of date already. */
  keep(requestKey: string, answer: KeptAnswer): void;
  /** The lookup is over. Always to be called. */
  end(): void;
}

/** Keeps rendered answers of anonymous, filtered lookups. */
export interface LookupCache {
  /** The answer kept under a request key. */
  get(requestKey: string): KeptAnswer | undefined;
  /** Registers a lookup before its question is sent; `undefined` when its answer is not to be kept. */
  begin(source: string, name: ObjectName): PendingLookup | undefined;
  /** Forgets everything about an object. */
  invalidate(name: ObjectName): void;
  /** Whether changes of a source are being followed; when not, its answers are forgotten and none are kept. */
  follow(source: string, followed: boolean): void;
}

/** Entries die after this time in any case: the type of a contact, which is part of a body, may change unseen. */
const maxAgeMs = 10_000;
/** What an entry costs besides its key and body, roughly. */
const entryOverhead = 200;

interface Entry {
  readonly name: ObjectName;
  readonly answer: KeptAnswer;
}

interface Pending {
  fresh: boolean;
}

/** Makes a cache of at most `bytes`; with 0 nothing is ever kept. */
export function createLookupCache(bytes: number): LookupCache {
  if (bytes === 0) return noCache;
  const keysOfName = new Map<ObjectName, Set<string>>();
  const pendingOfName = new Map<ObjectName, Set<Pending>>();
  const followed = new Set<string>();
  const entries = new LRUCache<string, Entry>({
    maxSize: bytes,
    maxEntrySize: Math.max(1, Math.floor(bytes / 10)),
    sizeCalculation: (entry, key) =>
      entry.answer.content.length + key.length * 2 + entry.name.length * 2 + entryOverhead,
    ttl: maxAgeMs,
    perf: { now: () => performance.now() },
    dispose: (entry, key) => removeFrom(keysOfName, entry.name, key),
  });

  const forget = (name: ObjectName) => {
    for (const pending of pendingOfName.get(name) ?? []) pending.fresh = false;
    for (const key of [...(keysOfName.get(name) ?? [])]) entries.delete(key);
  };

  return {
    get: (requestKey) => entries.get(requestKey)?.answer,
    begin(source, name) {
      if (!followed.has(source.toUpperCase())) return undefined;
      const pending: Pending = { fresh: true };
      addTo(pendingOfName, name, pending);
      return {
        keep(requestKey, answer) {
          if (!pending.fresh) return;
          entries.set(requestKey, { name, answer });
          if (entries.has(requestKey)) addTo(keysOfName, name, requestKey);
        },
        end: () => removeFrom(pendingOfName, name, pending),
      };
    },
    invalidate: forget,
    follow(source, isFollowed) {
      const folded = source.toUpperCase();
      if (isFollowed) {
        followed.add(folded);
        return;
      }
      followed.delete(folded);
      const names = new Set([...keysOfName.keys(), ...pendingOfName.keys()]);
      for (const name of names) if (name.startsWith(`${folded}|`)) forget(name);
    },
  };
}

/** Forgets what writes have stored. To be called before anyone is told of them. */
export function forgetStored(cache: LookupCache, results: readonly WriteResult[]): void {
  for (const { object } of results) if (object) cache.invalidate(storedName(object));
}

const noCache: LookupCache = {
  get: () => undefined,
  begin: () => undefined,
  invalidate: () => {},
  follow: () => {},
};

function addTo<T>(index: Map<ObjectName, Set<T>>, name: ObjectName, item: T): void {
  const items = index.get(name);
  if (items) items.add(item);
  else index.set(name, new Set([item]));
}

function removeFrom<T>(index: Map<ObjectName, Set<T>>, name: ObjectName, item: T): void {
  const items = index.get(name);
  items?.delete(item);
  if (items?.size === 0) index.delete(name);
}
