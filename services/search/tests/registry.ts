import { EventEmitter, once } from 'node:events';
import {
  type ChangeEntry,
  ChangeFeedServiceService,
  ObjectReaderServiceService,
  SourceKind,
} from '@cadastre/proto/objects';
import { Operation, type RegistryObject, type Tag } from '@cadastre/proto/registry';
import { parseObject, primaryKey } from '@cadastre/rpsl';
import { type Handlers, type Implementation, implement, ServiceError } from '@cadastre/service';
import { inMemoryClient } from '@cadastre/service/testing';
import type { ObjectsBackend } from '../src/indexer/objects-backend.js';

/** An in-memory registry: the part of the objects service that the index reads, filled by tests. */
export interface Registry {
  readonly backend: ObjectsBackend;
  /** Stores an object and returns the serial of the change. */
  put(text: string, options?: { source?: string; tags?: Tag[] }): bigint;
  remove(type: string, key: string, source?: string): bigint;
  /** Until `comeBack`, every call fails, and running calls abort. */
  /** Sends a message without changes to all followers. */
  beat(): void;
  goAway(): void;
  comeBack(): void;
  /** Drops the changes after a serial, like a registry that is restored from a backup. */
  rewind(serial: bigint): void;
  /** Removes the changes up to a serial, like a registry that removes old ones; objects remain. */
  trim(serial: bigint): void;
  /** New exports stop after their first message, until the returned function is called. */
  holdExports(): () => void;
  /** Serves it by gRPC. */
  readonly implementations: readonly Implementation[];
  /** The next export breaks after `pages` pages. */
  breakExport(pages: number): void;
  /** The next export with more pages stops after `pages`: `reached` resolves, and it continues after `release`. */
  pauseExport(pages: number): { readonly reached: Promise<void>; release(): void };
  /** Number of exports so far. */
  exports(): number;
  /** The positions after which the exports so far began. */
  exportedAfter(): readonly (string | undefined)[];
}

export function createRegistry(sources: readonly string[], pageSize = 500): Registry {
  const changed = new EventEmitter().setMaxListeners(0);
  const changes = new Map<string, ChangeEntry[]>(sources.map((source) => [source, []]));
  let away = false;
  let trimmed = 0;
  let seconds = 0;
  const exports: (string | undefined)[] = [];
  let breakAfter = Number.POSITIVE_INFINITY;
  let released = Promise.resolve();
  let pause: { readonly pages: number; readonly reach: () => void; readonly released: Promise<void> } | undefined;
  const changesOf = (source: string) => {
    if (away) throw new ServiceError('unavailable', 'away');
    const found = changes.get(source);
    if (!found) throw new ServiceError('invalid', 'unknown source');
    return found;
  };
  const newest = (source: string) => {
    const all = changesOf(source);
    return { serial: BigInt(all.length), instant: all.at(-1)?.instant };
  };
  const current = (source: string) => {
    const states = new Map<string, ChangeEntry>();
    for (const change of changesOf(source)) states.set(nameOf(change.object!), change);
    return [...states.values()]
      .filter((one) => one.operation === Operation.OPERATION_UPDATE)
      .map((one) => one.object!)
      .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  };
  const record = (source: string, operation: Operation, object: (serial: bigint) => RegistryObject) => {
    const list = changes.get(source)!;
    const serial = BigInt(list.length + 1);
    list.push({ serial, operation, object: object(serial), instant: new Date(1000 * ++seconds) });
    changed.emit('change');
    return serial;
  };

  const reader = {
    async listSources() {
      const list = sources.map((name) => ({
        name,
        kind: SourceKind.SOURCE_KIND_MAIN,
        ...newest(name),
      }));
      return { sources: list };
    },
    async *exportObjects({ source, after = '' }) {
      exports.push(after || undefined);
      const pagesLeft = breakAfter;
      breakAfter = Number.POSITIVE_INFINITY;
      const objects = current(source).filter((one) => nameOf(one) > after);
      const paused = pause && objects.length > pause.pages * pageSize ? pause : undefined;
      if (paused) pause = undefined;
      yield { ...newest(source), objects: [] };
      await released;
      for (let at = 0; at < objects.length; at += pageSize) {
        changesOf(source);
        if (at / pageSize === paused?.pages) {
          paused.reach();
          await paused.released;
        }
        if (at / pageSize >= pagesLeft) throw new ServiceError('unavailable', 'the export broke');
        const page = objects.slice(at, at + pageSize);
        yield { serial: 0n, objects: page, position: nameOf(page.at(-1)!) };
      }
    },
  } as Pick<Handlers<typeof ObjectReaderServiceService>, 'listSources' | 'exportObjects'>;

  const watched: Pick<Handlers<typeof ChangeFeedServiceService>, 'watch'> = {
    async *watch({ source, afterSerial, afterInstant }, { signal }) {
      let after = Number(afterSerial);
      if (after > changesOf(source).length) throw new ServiceError('out-of-range', 'no such serial');
      const instant = changesOf(source)[after - 1]?.instant;
      if (afterInstant && instant && afterInstant.getTime() !== instant.getTime()) {
        throw new ServiceError('out-of-range', 'restored');
      }
      while (!signal.aborted) {
        if (after < trimmed) throw new ServiceError('out-of-range', 'removed');
        const page = changesOf(source).slice(after, after + pageSize);
        after += page.length;
        if (page.length > 0) yield { changes: page, serial: BigInt(after) };
        else {
          const [news] = await once(changed, 'change', { signal }).catch(() => []);
          if (news === 'heartbeat') yield { changes: [], serial: BigInt(after) };
        }
      }
    },
  };

  const feed = watched as Handlers<typeof ChangeFeedServiceService>;
  const allReads = reader as Handlers<typeof ObjectReaderServiceService>;
  return {
    backend: {
      reader: inMemoryClient(ObjectReaderServiceService, allReads),
      feed: inMemoryClient(ChangeFeedServiceService, feed),
    },
    implementations: [implement(ObjectReaderServiceService, allReads), implement(ChangeFeedServiceService, feed)],
    put: (text, { source = 'TEST', tags = [] } = {}) =>
      record(source, Operation.OPERATION_UPDATE, (serial) => registryObject(source, text, serial, tags)),
    remove: (type, key, source = 'TEST') =>
      record(source, Operation.OPERATION_DELETE, (serial) => ({ ...emptyObject, source, type, key, serial })),
    beat: () => {
      changed.emit('change', 'heartbeat');
    },
    goAway: () => {
      away = true;
      changed.emit('change');
    },
    comeBack: () => {
      away = false;
    },
    rewind: (serial) => {
      for (const list of changes.values()) list.splice(Number(serial));
    },
    trim: (serial) => {
      trimmed = Number(serial);
    },
    holdExports: () => {
      const gate = Promise.withResolvers<void>();
      released = gate.promise;
      return gate.resolve;
    },
    breakExport: (pages) => {
      breakAfter = pages;
    },
    pauseExport: (pages) => {
      const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      pause = { pages, reach: reached.resolve, released: gate.promise };
      return { reached: reached.promise, release: gate.resolve };
    },
    exports: () => exports.length,
    exportedAfter: () => exports,
  };
}

const emptyObject: RegistryObject = {
  source: '',
  type: '',
  key: '',
  text: '',
  revision: 1,
  serial: 0n,
  created: undefined,
  lastModified: new Date('2026-01-01T00:00:00Z'),
  contacts: [],
  tags: [],
};

function registryObject(source: string, text: string, serial: bigint, tags: Tag[]): RegistryObject {
  const parsed = parseObject(text);
  if (!parsed.ok) throw new Error(`not an object: ${text}`);
  const key = primaryKey(parsed.object);
  if (!('shown' in key)) throw new Error(`no key: ${text}`);
  return { ...emptyObject, source, type: parsed.object.type, key: key.shown, text, serial, tags };
}

function nameOf({ type, key }: RegistryObject): string {
  return `${type} ${key.toLowerCase()}`;
}
