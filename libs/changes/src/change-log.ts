import type { ChangeFeedServiceService, ListChangesResponse } from '@cadastre/proto/objects';
import { asciiUpperCase } from '@cadastre/rpsl';
import { createTurns, type Metrics, pause, type RpcClient } from '@cadastre/service';
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import { type ChangeEvent, changeEvent, markOf } from './change-event.js';

/** Some changes of a source. Together with the parts before, it has every change up to `serial`. */
export interface ChangePart {
  readonly events: readonly ChangeEvent[];
  readonly serial: bigint;
  /** Whether the reader cannot continue: changes that it needs were deleted, or the registry was restored. */
  readonly isLost: boolean;
}

/** How long a reader waits. */
export interface Waiting {
  readonly signal: AbortSignal;
  readonly ms: number;
}

/**
 * The changes of all sources, which this process reads once for all its streams. The change feed announces the newest
 * serial of each source. Pages of changes are read only when a stream needs them.
 */
export interface ChangeLog {
  /** Forgets the changes of a source: the feed has begun anew, possibly that of a restored registry. */
  forget(source: string): void;
  /** Records the serial that the change feed announced. */
  reached(source: string, serial: bigint): void;
  /** Whether the feed has announced this source. */
  knows(source: string): boolean;
  /** The newest serial of an existing source. Waits until it is known and is not before `least`; undefined if it is not known. */
  newest(source: string, least: bigint, waiting: Waiting): Promise<bigint | undefined>;
  /**
   * The changes after a serial, at most 500; waits for them if there are none. With the mark of the change with the
   * serial, they are lost when the registry now has another change there. Throws a ServiceError.
   */
  after(source: string, serial: bigint, waiting: Waiting, mark?: string): Promise<ChangePart>;
  /** The mark of the change with a serial; empty when the registry does not know it any more. Throws a ServiceError. */
  markAt(source: string, serial: bigint, signal: AbortSignal): Promise<string>;
  /** Aborted when all streams must end. */
  readonly ended: AbortSignal;
  /** Ends all streams. */
  end(): void;
}

export interface ChangeLogOptions {
  readonly feed: Pick<RpcClient<typeof ChangeFeedServiceService>, 'listChanges'>;
  readonly deadlineMs: number;
  readonly metrics: Metrics;
}

/** Maximum number of changes that a reader gets in one part, and that the objects service sends in a page. */
const pageSize = 500n;
/**
 * Minimum time between two batches for the streams: many changes then cost few pages, and few writes to each client.
 */
const gatherMs = 50;
/** Maximum memory for the changes of one source, in bytes: about 6,000 changes. */
const maxBytes = 4 * 1024 * 1024;
/** A reader that is further behind waits for its turn. */
const recent = 2n * pageSize;
/** Maximum concurrent page reads for readers that are far behind, over all sources. */
const readsOfPast = 2;
/** Pause before the retry when a page does not reach the serial that the feed announced. */
const lateMs = 250;

/** A change that the registry no longer lists, although it lists later ones. */
const absent = Symbol('absent');

interface SourceLog {
  readonly name: string;
  readonly retained: LRUCache<bigint, ChangeEvent | typeof absent>;
  readonly reads: Map<bigint, Promise<ListChangesResponse>>;
  readonly waiting: Set<() => void>;
  /** The newest serial that streams know; undefined until the feed announces one. */
  newest: bigint | undefined;
  /** The last serial that the feed announced. */
  announced: bigint;
  gathering: NodeJS.Timeout | undefined;
  publishedAt: number;
}

/** Makes the log. It reads nothing until a stream needs changes. */
export function createChangeLog({ feed, deadlineMs, metrics }: ChangeLogOptions): ChangeLog {
  const logs = new Map<string, SourceLog>();
  const turns = createTurns(readsOfPast);
  /** All streams are one client, so they share one queue. */
  const past = (signal: AbortSignal) => turns.of('streams', signal);
  const ending = new AbortController();
  const pages = new Counter({
    name: 'cadastre_change_pages_total',
    help: 'Pages of changes read for change streams: of the newest changes, or of the past.',
    labelNames: ['of'],
    registers: [metrics],
  });

  function logOf(source: string): SourceLog {
    const name = asciiUpperCase(source);
    const log = logs.get(name) ?? newLog(name);
    logs.set(name, log);
    return log;
  }

  function read(log: SourceLog, after: bigint): Promise<ListChangesResponse> {
    const running = log.reads.get(after);
    if (running !== undefined) return running;
    pages.inc({ of: isRecent(log, after) ? 'newest' : 'past' });
    const reading = feed
      .listChanges({ source: log.name, afterSerial: after }, { deadlineMs })
      .then((page) => {
        keep(log, after, page);
        return page;
      })
      .finally(() => log.reads.delete(after));
    log.reads.set(after, reading);
    return reading;
  }

  /** Reads the changes after a serial, unless another reader has cached them before this reader's turn. */
  async function readAfter(log: SourceLog, serial: bigint, signal: AbortSignal, mark = ''): Promise<ChangePart> {
    const isReaderLost = async () => {
      if (retainedAfter(log, serial) !== undefined || signal.aborted) return false;
      // Readers at nearby serials share a page. With a mark it has the change with the serial, too.
      const first = mark === '' ? serial : serial - 1n;
      const start = log.retained.has(serial) ? serial : first - (first % pageSize);
      let page = await read(log, start);
      const isEnough = !page.removed && page.serial > serial;
      if (!isEnough && start !== serial) page = await read(log, serial);
      return page.removed;
    };
    try {
      const isLost = isRecent(log, serial) ? await isReaderLost() : await past(signal).read(isReaderLost);
      if (isLost || isOther(log, serial, mark)) return { events: [], serial, isLost: true };
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    const part = retainedAfter(log, serial);
    if (part === undefined) await pause(lateMs, signal);
    return part ?? nothing(serial);
  }

  return {
    reached(source, serial) {
      const log = logOf(source);
      // The registry was restored to an earlier state, with other changes.
      const isRestored = serial < log.announced;
      if (isRestored) log.retained.clear();
      log.announced = serial;
      if (isRestored || log.newest === undefined) return publish(log);
      if (serial === log.newest || log.gathering !== undefined) return;
      const leftMs = log.publishedAt + gatherMs - performance.now();
      log.gathering = setTimeout(() => publish(log), Math.max(0, leftMs)).unref();
    },
    knows: (source) => logs.has(asciiUpperCase(source)),
    async newest(source, least, { signal, ms }) {
      const log = logOf(source);
      const until = performance.now() + ms;
      while ((log.newest ?? -1n) < least && performance.now() < until && !signal.aborted) {
        await news(log, { signal, ms: until - performance.now() });
      }
      return log.newest;
    },
    async after(source, serial, waiting, mark = '') {
      const log = logOf(source);
      if (serial === (log.newest ?? serial)) await news(log, waiting);
      const { newest = serial } = log;
      if (serial >= newest) return { ...nothing(serial), isLost: serial > newest };
      if (isOther(log, serial, mark)) return { ...nothing(serial), isLost: true };
      return retainedAfter(log, serial) ?? readAfter(log, serial, waiting.signal, mark);
    },
    async markAt(source, serial, signal) {
      const log = logOf(source);
      if (serial > 0n && !log.retained.has(serial)) await readAfter(log, serial - 1n, signal);
      return markIn(log, serial);
    },
    forget: (source) => logOf(source).retained.clear(),
    ended: ending.signal,
    end: () => ending.abort(),
  };
}

function newLog(name: string): SourceLog {
  return {
    name,
    retained: new LRUCache<bigint, ChangeEvent | typeof absent>({
      maxSize: maxBytes,
      sizeCalculation: (event) => (event === absent ? 100 : 400 + 2 * (event.data.length + event.key.length)),
    }),
    reads: new Map(),
    waiting: new Set(),
    newest: undefined,
    announced: 0n,
    gathering: undefined,
    publishedAt: Number.NEGATIVE_INFINITY,
  };
}

function nothing(serial: bigint): ChangePart {
  return { events: [], serial, isLost: false };
}

/** The mark of a cached change; empty for any other. */
function markIn({ retained }: SourceLog, serial: bigint): string {
  const event = retained.get(serial);
  return event === undefined || event === absent ? '' : markOf(event.instant);
}

/** Whether the registry has another change with this serial than that of the mark, as far as this process knows. */
function isOther(log: SourceLog, serial: bigint, mark: string): boolean {
  const known = mark === '' ? '' : markIn(log, serial);
  return known !== '' && known !== mark;
}

function isRecent({ newest = 0n }: SourceLog, serial: bigint): boolean {
  return newest - serial <= recent;
}

function publish(log: SourceLog): void {
  clearTimeout(log.gathering);
  log.gathering = undefined;
  log.publishedAt = performance.now();
  log.newest = log.announced;
  for (const wake of log.waiting) wake();
}

/** Waits for the next batch of changes for the streams of a source. */
function news({ waiting }: SourceLog, { signal, ms }: Waiting): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) return Promise.resolve();
  const timer = setTimeout(resolve, ms);
  const wake = () => resolve();
  waiting.add(wake);
  signal.addEventListener('abort', wake);
  return promise.finally(() => {
    clearTimeout(timer);
    waiting.delete(wake);
    signal.removeEventListener('abort', wake);
  });
}

function keep({ retained }: SourceLog, after: bigint, page: ListChangesResponse): void {
  const listed = new Map(page.changes.map((change) => [change.serial, change]));
  for (let serial = after + 1n; serial <= page.serial; serial++) {
    const change = listed.get(serial);
    retained.set(serial, change ? changeEvent(change) : absent);
  }
}

/** The cached changes after a serial, without a gap; undefined when the first one is not cached. */
function retainedAfter({ retained, newest = 0n }: SourceLog, start: bigint): ChangePart | undefined {
  const events: ChangeEvent[] = [];
  let serial = start;
  while (serial < newest && serial < start + pageSize) {
    const next = retained.get(serial + 1n);
    if (next === undefined) break;
    if (next !== absent) events.push(next);
    serial++;
  }
  return serial === start ? undefined : { events, serial, isLost: false };
}
