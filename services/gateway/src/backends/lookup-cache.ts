import type { WriteResult } from '@cadastre/proto/objects';
import type { RegistryObject } from '@cadastre/proto/registry';
import { type AddressRange, asciiUpperCase, foldKey, type ObjectTypeName, rangeOfKey } from '@cadastre/rpsl';
import { LRUCache } from 'lru-cache';
import type { Format } from '../documents/whois-resources.js';
import type { Coding } from '../reply/compress.js';

/** Identifies an object over all spellings of its source, type and key. */
export type ObjectName = string;

/** The name of an object. Parameters: the full type in lower case, and the folded key. */
export function objectName(source: string, type: ObjectTypeName, foldedKey: string): ObjectName {
  return `${asciiUpperCase(source)}|${type}|${foldedKey}`;
}

/** The name of an object that a service returned. */
export function storedName({ source, type, key }: Pick<RegistryObject, 'source' | 'type' | 'key'>): ObjectName {
  const known = type as ObjectTypeName;
  return objectName(source, known, foldKey(known, key));
}

/** Represents all objects of a type: it changes when any of them does. */
export function typeName(source: string, type: ObjectTypeName): ObjectName {
  return `${asciiUpperCase(source)}|${type}|`;
}

/**
 * Represent the objects of a type that overlap with a range, and others near it: one of them changes when any of these
 * does.
 */
export function overlapNames(source: string, type: ObjectTypeName, range: AddressRange): ObjectName[] {
  const whole = typeName(source, type);
  const area = areaOf(range);
  return area === '' ? [whole] : [`${whole}~`, `${whole}~${area}`];
}

/** The /16, or the /32 of IPv6, that contains a range; empty for a larger range. */
function areaOf({ family, first, last }: AddressRange): string {
  const bits = family === 4 ? 16n : 96n;
  const area = first >> bits;
  return area === last >> bits ? `${family}:${area}` : '';
}

/** The names that represent an object besides its own. */
function namesAround(name: ObjectName): ObjectName[] {
  const whole = typeOfName(name);
  const range = rangeOfKey(name.split('|', 2)[1]!, name.slice(whole.length));
  return range === undefined ? [whole] : [whole, `${whole}~${areaOf(range)}`];
}

/** The name of the type of an object. */
function typeOfName(name: ObjectName): ObjectName {
  return name.slice(0, name.indexOf('|', name.indexOf('|') + 1) + 1);
}

/** A rendered response. */
export interface CachedResponse {
  readonly format: Format;
  readonly content: Buffer;
  /** Compression of the content; absent for none. */
  readonly coding: Coding | undefined;
  /** Tag of the content before compression. */
  readonly entityTag: string;
  /** Whether it shows a personal object, which counts against the client's limit each time. */
  readonly isPersonal: boolean;
  /** The persons that it shows inside another object, by name, each counted once per client. */
  readonly contacts?: readonly string[];
}

/** A running lookup. The cache may store its response only if the object did not change meanwhile. */
export interface PendingLookup {
  /** Stores the response under the key of its request, unless it is outdated already. */
  store(requestKey: string, response: CachedResponse): void;
  /** Ends the lookup. Always call it. */
  end(): void;
}

/** A running lookup of a document that depends on several objects. */
export interface PendingDocument {
  /**
   * Stores the response under the key of its request, unless anything in the source changed since the lookup began. A
   * change of its dependencies removes it: objects, missing ones too, complete types (`typeName`) and what overlaps
   * with a range (`overlapNames`).
   */
  store(requestKey: string, response: CachedResponse, madeOf: readonly ObjectName[]): void;
}

/** Another cache, of one source. */
export interface SourceCache {
  readonly source: string;
  /** An object of the source was written or deleted. */
  invalidate(name: ObjectName): void;
  /** The change feed of the source is followed from now on, or no longer: then nothing may be cached. */
  setFollowed(isFollowed: boolean): void;
}

/** Caches rendered responses to anonymous lookups. */
export interface LookupCache {
  /** An object was written or deleted. */
  invalidate(name: ObjectName): void;
  /** Sets whether the change feed of a source is followed. If not, nothing of the source may be cached. */
  setFollowed(source: string, isFollowed: boolean): void;
  /** A source has this serial: by its change feed, or by a write of this gateway. */
  reached(source: string, serial: bigint): void;
  /** The newest serial that this gateway has seen of a source; undefined while it does not follow the source. */
  newestSerial(source: string): bigint | undefined;
  /** The response stored under a request key. */
  get(requestKey: string): CachedResponse | undefined;
  /** Registers a lookup before it is sent to the backend; `undefined` when its response must not be cached. */
  begin(source: string, name: ObjectName): PendingLookup | undefined;
  /** The same for a document that depends on several objects. */
  beginDocument(source: string): PendingDocument | undefined;
}

/** Lookups expire after this time: a response shows the types of contacts, whose changes do not invalidate it. */
export const maxAgeMs = 10_000;
/** Documents name all that they show: they expire only in case that a dependency is missing. */
const maxDocumentAgeMs = 300_000;
/** Approximate bytes of an entry besides its key and content, and of each name besides its characters. */
const entryOverhead = 200;
const nameOverhead = 250;

interface Entry {
  readonly names: readonly ObjectName[];
  readonly response: CachedResponse;
}

interface Pending {
  fresh: boolean;
}

/** Makes a cache of at most `bytes`, which notifies other caches of changes; with 0 nothing is cached. */
export function createLookupCache(bytes: number, others: readonly SourceCache[] = []): LookupCache {
  if (bytes === 0) return noCache;
  const keysOfName = new Map<ObjectName, Set<string>>();
  const pendingOfName = new Map<ObjectName, Set<Pending>>();
  const followed = new Set<string>();
  const entries = new LRUCache<string, Entry>({
    maxSize: bytes,
    maxEntrySize: Math.max(1, Math.floor(bytes / 10)),
    sizeCalculation: (entry, key) =>
      entry.response.content.length +
      key.length * 2 +
      lengthOf(entry.names) * 2 +
      entry.names.length * nameOverhead +
      lengthOf(entry.response.contacts ?? []) * 2 +
      entryOverhead,
    perf: { now: () => performance.now() },
    dispose: ({ names }, key) => {
      for (const name of names) removeFrom(keysOfName, name, key);
    },
  });
  /** Grow with every change of a source: an answer from before one may be outdated. */
  const changes = new Map<string, number>();
  const serials = new Map<string, bigint>();

  const forget = (name: ObjectName) => {
    for (const pending of pendingOfName.get(name) ?? []) pending.fresh = false;
    for (const key of [...(keysOfName.get(name) ?? [])]) entries.delete(key);
  };
  const othersOf = (folded: string) => others.filter(({ source }) => asciiUpperCase(source) === folded);
  const noteChange = (source: string) => changes.set(source, (changes.get(source) ?? 0) + 1);
  const store = (requestKey: string, entry: Entry, ttl: number) => {
    entries.set(requestKey, entry, { ttl });
    if (entries.has(requestKey)) for (const name of entry.names) addTo(keysOfName, name, requestKey);
  };

  return {
    get: (requestKey) => entries.get(requestKey)?.response,
    begin(source, name) {
      if (!followed.has(asciiUpperCase(source))) return undefined;
      const pending: Pending = { fresh: true };
      addTo(pendingOfName, name, pending);
      return {
        store(requestKey, response) {
          if (pending.fresh) store(requestKey, { names: [name], response }, maxAgeMs);
        },
        end: () => removeFrom(pendingOfName, name, pending),
      };
    },
    beginDocument(source) {
      const folded = asciiUpperCase(source);
      if (!followed.has(folded)) return undefined;
      const before = changes.get(folded);
      return {
        store(requestKey, response, madeOf) {
          if (changes.get(folded) !== before) return;
          store(requestKey, { names: [...new Set(madeOf)], response }, maxDocumentAgeMs);
        },
      };
    },
    invalidate(name) {
      const source = name.slice(0, name.indexOf('|'));
      noteChange(source);
      for (const one of [name, ...namesAround(name)]) forget(one);
      for (const cache of othersOf(source)) cache.invalidate(name);
    },
    setFollowed(source, isFollowed) {
      const folded = asciiUpperCase(source);
      if (followed.has(folded) === isFollowed) return;
      for (const cache of othersOf(folded)) cache.setFollowed(isFollowed);
      if (isFollowed) {
        followed.add(folded);
        return;
      }
      followed.delete(folded);
      serials.delete(folded);
      noteChange(folded);
      const names = new Set([...keysOfName.keys(), ...pendingOfName.keys()]);
      for (const name of names) if (name.startsWith(`${folded}|`)) forget(name);
    },
    reached(source, serial) {
      const folded = asciiUpperCase(source);
      if (serial > (serials.get(folded) ?? -1n)) serials.set(folded, serial);
    },
    newestSerial(source) {
      const folded = asciiUpperCase(source);
      return followed.has(folded) ? serials.get(folded) : undefined;
    },
  };
}

/** Removes the objects that writes have changed. Call it before the response to the write. */
export function invalidateWritten(cache: LookupCache, results: readonly WriteResult[]): void {
  for (const { object, serial } of results) {
    if (object === undefined) continue;
    cache.invalidate(storedName(object));
    cache.reached(object.source, serial);
  }
}

const noCache: LookupCache = {
  get: () => undefined,
  begin: () => undefined,
  beginDocument: () => undefined,
  invalidate: () => {},
  setFollowed: () => {},
  reached: () => {},
  newestSerial: () => undefined,
};

function lengthOf(names: readonly string[]): number {
  return names.reduce((sum, { length }) => sum + length, 0);
}

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
