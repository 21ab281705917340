import { EventEmitter, once } from 'node:events';
import {
  type ChangeEntry,
  ChangeFeedServiceService,
  LookupStatus,
  ObjectReaderServiceService,
  SourceKind,
} from '@cadastre/proto/objects';
import { Operation, type RegistryObject } from '@cadastre/proto/registry';
import { type SearchRequest, SearchServiceService } from '@cadastre/proto/search';
import {
  contains,
  nonAuthoritativeName,
  parseObject,
  parseResource,
  primaryKey,
  printObject,
  publicCopy,
  rangeOf,
  valuesOf,
} from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import { inMemoryClient } from '@cadastre/service/testing';
import type { Backends } from '../src/context.js';
import { authBackends } from './auth.fixture.js';
import { searchHandlers } from './search.fixture.js';

/** The objects and search services over a list of changes, as far as whois uses them. */
export interface Registry {
  readonly backends: Backends & { close(): void };
  /** Stores objects, which a blank line separates. */
  put(texts: string, source?: string): void;
  remove(type: string, key: string, source?: string): void;
  /** Drops the changes of a source after a serial, like a restored backup. */
  rewind(serial: number, source?: string): void;
  /** Removes the changes up to a serial, as the feed removes old ones. */
  trim(serial: number, source?: string): void;
  /** Removes the former objects up to a serial. */
  forgetPast(serial: number): void;
  /** Streams of changes break after their first message. */
  breakFeed(): void;
  /** Number of exports so far. */
  exports(): number;
  /** Exports wait until the returned function is called. */
  holdExports(): () => void;
  /** Searches break after their first object. */
  breakSearches(): void;
  /** The searches so far. */
  readonly searched: SearchRequest[];
}

/** Maximum lookups of the past in one answer. */
const maxAnswers = 2;

/** Makes an empty registry with these sources. */
export function createRegistry(sources: readonly string[] = ['TEST']): Registry {
  const changed = new EventEmitter().setMaxListeners(0);
  const changes = new Map<string, ChangeEntry[]>(sources.map((source) => [source, []]));
  const searched: SearchRequest[] = [];
  let exports = 0;
  let released = Promise.resolve();
  let isBroken = false;
  let restored = 0;
  let isFeedBroken = false;
  const trimmed = new Map<string, number>();
  let forgotten = 0;
  const revisions = new Map<string, number>();
  let seconds = 0;
  const changesOf = (source: string) => {
    const found = changes.get(source);
    if (found === undefined) throw new ServiceError('invalid', 'unknown source');
    return found;
  };
  const newest = (source: string) => {
    const last = changesOf(source).at(-1);
    return { serial: last?.serial ?? 0n, instant: last?.instant };
  };
  const current = (source: string, serial?: number) => {
    const states = new Map(
      changesOf(source)
        .slice(0, serial)
        .map((change) => [nameOf(change.object!), change]),
    );
    return [...states.values()].flatMap(({ operation, object }) =>
      operation === Operation.OPERATION_UPDATE ? [object!] : [],
    );
  };
  /** The objects of a source by its name in searches: its non-authoritative part is one of its own. */
  const part = (name: string) => {
    const store = name === nonAuthoritativeName('TEST') ? 'TEST' : name;
    return current(store).filter(({ text }) => /^source:.*-NONAUTH$/m.test(text) === (store !== name));
  };
  const record = (source: string, operation: Operation, object: RegistryObject) => {
    const list = changesOf(source);
    list.push({ serial: BigInt(list.length + 1), operation, object, instant: new Date(1_000 * ++seconds) });
    changed.emit('change');
  };
  const reader = inMemoryClient(ObjectReaderServiceService, {
    listSources: async () => ({
      sources: sources.map((name) => ({
        ...{ name, kind: SourceKind.SOURCE_KIND_MAIN, ...newest(name) },
        oldestSerial: changesOf(name).slice(trimmed.get(name) ?? 0)[0]?.serial,
      })),
    }),
    async *exportObjects({ source, types }) {
      exports++;
      yield { ...newest(source), objects: [] };
      await released;
      const objects = current(source).filter(({ type }) => types.includes(type));
      if (objects.length > 0) yield { serial: 0n, objects };
    },
    batchLookup: async ({ lookups }) => ({
      answers: lookups.map(({ key }) => {
        const found = current(key!.source).find((one) => nameOf(one) === nameOf(key!));
        if (found === undefined) return { status: LookupStatus.LOOKUP_STATUS_NOT_FOUND };
        return { status: LookupStatus.LOOKUP_STATUS_FOUND, object: found };
      }),
    }),
    batchLookupPast: async ({ lookups }) => ({
      answers: lookups.map(({ key, moment }, at) => {
        const serial = moment!.point!.value as bigint;
        if (at >= maxAnswers) return { status: LookupStatus.LOOKUP_STATUS_ASK_AGAIN, serial };
        if (Number(serial) <= forgotten) return { status: LookupStatus.LOOKUP_STATUS_FORGOTTEN, serial };
        const found = current(key!.source, Number(serial)).find((one) => nameOf(one) === nameOf(key!));
        if (found === undefined) return { status: LookupStatus.LOOKUP_STATUS_NOT_FOUND, serial };
        return { status: LookupStatus.LOOKUP_STATUS_FOUND, serial, object: found };
      }),
    }),
  });
  const feed = inMemoryClient(ChangeFeedServiceService, {
    async *watch({ source, afterSerial, afterInstant, keysOnly, publicCopies }, { signal }) {
      let after = Number(afterSerial);
      if (after > changesOf(source).length || after < (trimmed.get(source) ?? 0))
        throw new ServiceError('out-of-range', 'no such serial');
      const instant = changesOf(source)[after - 1]?.instant;
      if (afterInstant && instant && afterInstant.getTime() !== instant.getTime()) {
        throw new ServiceError('out-of-range', 'restored');
      }
      const before = restored;
      while (!signal.aborted) {
        if (restored > before) throw new ServiceError('unavailable', 'the database was restored');
        const page = changesOf(source).slice(after, after + 500);
        after += page.length;
        if (!keysOnly && !publicCopies) throw new Error('whois must not get complete objects');
        const texts = keysOnly ? () => '' : publicText;
        const sent = page.map((change) => ({ ...change, object: { ...change.object!, text: texts(change.object!) } }));
        if (page.length > 0) yield { changes: sent, serial: BigInt(after) };
        if (isFeedBroken && !keysOnly) throw new ServiceError('unavailable', 'the connection is lost');
        if (page.length === 0) await once(changed, 'change', { signal }).catch(() => {});
      }
    },
  });
  const search = inMemoryClient(
    SearchServiceService,
    searchHandlers(async function* (request) {
      searched.push(request);
      const all = request.sources.flatMap(part);
      const isThere = request.dangling || all.some(({ key }) => key.toLowerCase() === request.query.toLowerCase());
      const isSearched = isThere || request.inverseAttributes.length === 0;
      const matching = isSearched ? all.filter((object) => matches(object, request)) : [];
      const found = request.flags.includes('one-less') ? nearest(matching) : matching;
      if (found.length === 0) throw new ServiceError('not-found', 'no entries found');
      for (const object of found) {
        const shown = { object, related: false, messages: [], managedAttributes: [], managedMaintainers: [] };
        yield { objects: [shown], flags: [], messages: [], serial: 0n };
        if (isBroken) throw new ServiceError('unavailable', 'the index is gone');
      }
    }),
  );
  return {
    backends: { reader, feed, search, ...authBackends(), close() {} },
    searched,
    exports: () => exports,
    put(texts, source = 'TEST') {
      for (const text of texts.trim().split(/\n\s*\n/)) {
        const object = registryObject(source, `${text.trim()}\n`);
        const name = `${source} ${nameOf(object)}`;
        const revision = (revisions.get(name) ?? 0) + 1;
        revisions.set(name, revision);
        record(source, Operation.OPERATION_UPDATE, { ...object, revision });
      }
    },
    remove(type, key, source = 'TEST') {
      const object = current(source).find((one) => nameOf(one) === nameOf({ type, key }))!;
      record(source, Operation.OPERATION_DELETE, object);
    },
    rewind(serial, source = 'TEST') {
      changesOf(source).splice(serial);
      restored++;
      changed.emit('change');
    },
    trim(serial, source = 'TEST') {
      trimmed.set(source, serial);
    },
    forgetPast(serial) {
      forgotten = serial;
    },
    breakFeed() {
      isFeedBroken = true;
    },
    holdExports() {
      const gate = Promise.withResolvers<void>();
      released = gate.promise;
      return gate.resolve;
    },
    breakSearches() {
      isBroken = true;
    },
  };
}

function registryObject(source: string, text: string): RegistryObject {
  const parsed = parseObject(text);
  const key = parsed.ok ? primaryKey(parsed.object) : undefined;
  if (!parsed.ok || key === undefined || !('shown' in key)) throw new Error(`no object: ${text}`);
  const { type } = parsed.object;
  return { source, type, key: key.shown, text, revision: 1, serial: 1n, contacts: [], tags: [] };
}

function publicText({ text }: RegistryObject): string {
  const parsed = parseObject(text);
  const copy = parsed.ok ? publicCopy(parsed.object) : undefined;
  return copy === undefined ? '' : printObject(copy);
}

function nameOf({ type, key }: { readonly type: string; readonly key: string }): string {
  return `${type} ${key.toLowerCase()}`;
}

/** Inverse lookups by `mnt-by` (of an existing mntner, unless requested otherwise), and routes around a prefix. */
function matches({ type, text }: RegistryObject, request: SearchRequest): boolean {
  const parsed = parseObject(text);
  if (!parsed.ok || !request.types.includes(type)) return false;
  if (request.inverseAttributes.includes('mnt-by')) {
    return valuesOf(parsed.object, 'mnt-by').some((name) => name.toLowerCase() === request.query.toLowerCase());
  }
  const [requested, range] = [parseResource(request.query), rangeOf(parsed.object)];
  if (!requested || !range || 'as' in requested || 'as' in range) return false;
  const [isAround, isInside] = [contains(range, requested), contains(requested, range)];
  const [mode] = request.flags;
  if (mode === 'exact') return isAround && isInside;
  if (mode === 'all-less') return isAround;
  return mode === 'one-less' ? isAround && !isInside : isInside && !isAround;
}

/** Those with the smallest range. */
function nearest(found: readonly RegistryObject[]): RegistryObject[] {
  const lengthOf = ({ key }: RegistryObject) => Number(/\/(\d+)/.exec(key)?.[1]);
  const longest = Math.max(...found.map(lengthOf));
  return found.filter((object) => lengthOf(object) === longest);
}
