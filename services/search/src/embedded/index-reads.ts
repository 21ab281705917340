import type { WorkerPool } from '@cadastre/service';
import {
  type Filtered,
  type IndexedObject,
  type Matches,
  maxFiltered,
  type ObjectId,
  objectIdText,
  type SearchIndex,
  type TypedKey,
} from '../index-port.js';
import { type FilteredPart, filterStart } from './filter-list.js';
import type { FilesInUse } from './index-files.js';
import { enclosingObjects, nearest } from './nearest.js';
import { beginningOf, isKnown, isLong, type PageStart, type QueryPage, readPage } from './query-page.js';
import { nearestWithIrts } from './range-matches.js';
import type * as readerThread from './reader-thread.js';
import { type KeyedObjects, readByKey } from './reads.js';
import { typeNumber } from './tables.js';

type Reads = typeof readerThread;
type FurtherParameters<N extends keyof Reads> = Reads[N] extends (file: never, ...further: infer P) => unknown
  ? P
  : never;

/** The reads of an index that are not about its own state. */
type ObjectReads = Omit<
  SearchIndex,
  'start' | 'stop' | 'check' | 'position' | 'apply' | 'beginRebuild' | 'rebuildState' | 'count'
>;

/** Reads the indexes in use: pages of queries on the event loop, and what takes longer on threads. */
export function createIndexReads(inUse: FilesInUse, reader: WorkerPool<Reads>): ObjectReads {
  const onThread = async <N extends string & keyof Reads>(
    source: string,
    signal: AbortSignal,
    name: N,
    ...parameters: FurtherParameters<N>
  ): Promise<Awaited<ReturnType<Reads[N]>> | undefined> => {
    signal.throwIfAborted();
    const found = await inUse.guarded(source, ({ file }) =>
      reader.run(name, ...([{ source, file: file.file }, ...parameters] as unknown as Parameters<Reads[N]>)),
    );
    signal.throwIfAborted();
    return found;
  };
  return {
    async query(source, queries, signal) {
      const read = (start: PageStart) => {
        signal.throwIfAborted();
        return inUse.reading(source, (tables) => readPage(tables, source, queries, start));
      };
      const readOnThread = (start: PageStart) => onThread(source, signal, 'readPage', queries, start);
      const beginning = beginningOf(queries);
      signal.throwIfAborted();
      const first = await inUse.reading(source, (tables) =>
        isLong(tables, queries) ? 'long' : readPage(tables, source, queries, beginning),
      );
      if (first !== 'long') return first && matches(first, read);
      const found = await readOnThread(beginning);
      return found && matches(found, readOnThread);
    },
    countByType: (source, queries, signal) => onThread(source, signal, 'countByType', queries),
    async filter(source, queries, filter, signal) {
      const passed: Filtered['passed'][number][] = [];
      let serial = 0n;
      let compared = 0;
      let last: Filtered['last'];
      let next: PageStart | undefined = filterStart(queries);
      while (next !== undefined && passed.length < filter.limit && compared < maxFiltered) {
        const bounded = { ...filter, limit: filter.limit - passed.length };
        const part: FilteredPart | undefined = await onThread(source, signal, 'filterPart', queries, bounded, next);
        if (part === undefined) return undefined;
        if (compared === 0) serial = part.serial;
        for (const one of part.passed) passed.push({ ...one, compared: one.compared + compared });
        compared += part.compared;
        last = part.last;
        next = part.next;
      }
      return { serial, passed, compared, ...(next && { last }) };
    },
    async searchWords(source, query, signal) {
      const found = await onThread(source, signal, 'searchWords', query);
      return found && { ...found, pages: keyedPages(inUse, source, found) };
    },
    async suggest(source, beginning, signal) {
      const found = await onThread(source, signal, 'suggest', beginning);
      return found && { serial: found.serial, pages: keyedPages(inUse, source, found) };
    },
    async searchNames(source, query, signal) {
      const found = await onThread(source, signal, 'searchNames', query);
      return found && { ...found, pages: keyedPages(inUse, source, found) };
    },
    countNames: (source, named, signal) => onThread(source, signal, 'countNames', named),
    spansInside: (source, query, signal) => onThread(source, signal, 'spansInside', query),
    holdings: (source, query, signal) => onThread(source, signal, 'holdings', query),
    nearestWith: async (source, type, _mntIrt, ranges) =>
      (await inUse.reading(source, (tables) => nearestWithIrts(tables, typeNumber(type), ranges))) ??
      ranges.map(() => undefined),
    nearest: (source, types, ranges) => inUse.reading(source, (tables) => nearest(tables, source, types, ranges)),
    readState: (source, read) =>
      inUse.reading(source, (tables) =>
        read({
          enclosing: (type, range) => enclosingObjects(tables, source, type, range),
          byKey: (keys) => readByKey(tables, source, keys),
        }),
      ),
    async load(ids) {
      const [first] = ids;
      if (first === undefined) return { objects: [], later: [] };
      const { source } = first;
      const end = ids.findIndex((id) => id.source !== source);
      const requested = end === -1 ? ids : ids.slice(0, end);
      const part = await inUse.reading(source, (tables) => readByKey(tables, source, requested));
      const later = part === undefined ? [] : (part.later as readonly ObjectId[]);
      return { objects: part?.objects ?? [], later: [...later, ...ids.slice(requested.length)] };
    },
    async known(ids) {
      const known = new Set<string>();
      for (const [source, group] of Map.groupBy(ids, (id) => id.source)) {
        await inUse.reading(source, (tables) => {
          for (const id of group) if (isKnown(tables, id.type, id.key)) known.add(objectIdText(id));
        });
      }
      return ids.map((id) => known.has(objectIdText(id)));
    },
  };
}

/** Objects by key, as many at a time as one read returns. */
async function* keyedPages(
  inUse: FilesInUse,
  source: string,
  { objects, later }: KeyedObjects,
): AsyncGenerator<readonly IndexedObject[]> {
  if (objects.length > 0) yield objects;
  for (let left = later; left.length > 0; ) {
    const part = await inUse.reading(source, (tables) => readByKey(tables, source, left as TypedKey[]));
    if (part === undefined) return;
    if (part.objects.length > 0) yield part.objects;
    left = part.later;
  }
}

function matches(first: QueryPage, read: (start: PageStart) => Promise<QueryPage | undefined>): Matches {
  async function* pages(): AsyncGenerator<readonly IndexedObject[]> {
    for (let page: QueryPage | undefined = first; page !== undefined; ) {
      if (page.objects.length > 0) yield page.objects;
      page = page.next && (await read(page.next));
    }
  }
  return { serial: first.serial, pages: pages() };
}
