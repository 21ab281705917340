import { setImmediate as nextTurn } from 'node:timers/promises';
import { isLostPlace, newestChange } from '@cadastre/changes';
import { sourceNames } from '@cadastre/query';
import { nonAuthoritativeName } from '@cadastre/rpsl';
import {
  errorText,
  keepTryingService,
  type Logger,
  logStreamFailure,
  type Metrics,
  type Pauses,
  type Service,
  ServiceError,
} from '@cadastre/service';
import { type Backends, namesOf, type Sources } from '../context.js';
import { followSource, type LoadedSource, loadSource } from './follow-source.js';
import { createRoutePreference, type RoutePreference } from './hidden-routes.js';
import { createIndexBudget, type IndexBounds, type IndexBudget } from './index-budget.js';
import { createIndexedSource, type IndexedSource } from './indexed-source.js';
import { type RoaRoutes, roaSourceName } from './roa-routes.js';
import { registerSetMetrics } from './set-metrics.js';
import type { IsHidden, SourceContents, SourceIndex } from './source-index.js';

/** The state of the index of a source. */
export interface SourceStatus {
  readonly serial: bigint;
  /** When it was last known to be complete. */
  readonly confirmed: Date;
}

/** Sets and prefixes of all sources, in memory. */
export type SetIndex = ReturnType<typeof createSetIndex>;

export interface SetIndexOptions {
  readonly sources: Sources;
  readonly backends: Pick<Backends, 'reader' | 'feed'>;
  /** Compares routes with the current ROAs. */
  readonly isInvalid: IsHidden;
  /**
   * Whether the lists of a source leave out invalid routes. Then its index is complete only after all routes were
   * compared with ROAs: a list with invalid routes is wrong.
   */
  isFiltered(source: string): boolean;
  /** Sources whose routes hide those of later ones that overlap them; default: none. */
  readonly preference?: readonly string[];
  /** Time between two comparisons with preferred sources that have changed, in milliseconds. */
  readonly preferenceIntervalMs?: number | undefined;
  /** The source of the routes made from ROAs, unless there is none. */
  readonly roaRoutes?: RoaRoutes | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Pauses while the objects service is unavailable. */
  readonly pauses?: Pauses | undefined;
  /** Bounds of the index. */
  readonly bounds?: IndexBounds | undefined;
}

/** The available index of a source. */
interface Published {
  readonly index: IndexedSource;
  readonly status: SourceStatus;
}

/** Makes the index: it reads every source when it starts, and then follows their changes. */
export function createSetIndex(o: SetIndexOptions) {
  const { main, mirrors } = o.sources;
  /** By the name of the source in the registry. */
  const published = new Map<string, Published>();
  const stores = [main, ...mirrors];
  const storeOf = new Map([...stores.map((name) => [name, name] as const), [nonAuthoritativeName(main), main]]);
  const names = namesOf(o.sources);
  const { roaRoutes } = o;
  const budget = createIndexBudget(o.bounds);
  const indexes = new Map<string, IndexedSource>();
  const preference = createRoutePreference(o.preference ?? []);
  const { ranked } = preference;
  const followers = stores.map((store) =>
    follower(o, store, budget, preference, {
      begun: (index) => void indexes.set(store, index),
      complete(now) {
        const isFirst = !published.has(store);
        published.set(store, now);
        if (isFirst && [...now.index.parts.keys()].some((name) => ranked.includes(name))) compare.again();
      },
    }),
  );
  const awaitsRoas = names.some((name) => o.isFiltered(name));
  let hasRoas = !awaitsRoas;
  let isJudged = hasRoas;
  /** Whether ROAs have changed, which affects all sources. */
  let needsAll = false;
  const indexOf = (name: string) => published.get(storeOf.get(name) ?? '')?.index.parts.get(name);
  const rankOf = ([name]: readonly [string, SourceIndex]) => ranked.indexOf(name);
  const compare = keepComparing({
    // The most preferred source first: what is hidden there hides nothing.
    parts: () =>
      [...new Set([...indexes.values(), ...[...published.values()].map(({ index }) => index)])]
        .flatMap(({ parts }) => [...parts])
        .filter(([name]) => needsAll || ranked.includes(name))
        .sort((one, other) => rankOf(one) - rankOf(other)),
    async compare([name, part]) {
      await preference.prepare(name, (above) => indexOf(above)?.routes, nextTurn);
      await part.judge(nextTurn);
    },
    done: () => {
      isJudged = hasRoas;
      needsAll = false;
      compared = rankedSerials();
    },
  });
  const rankedSerials = () => ranked.map((name) => published.get(storeOf.get(name)!)?.status.serial).join();
  let compared = '';
  let timer: NodeJS.Timeout | undefined;
  registerSetMetrics(o.metrics, budget, () =>
    [...published.values()].flatMap(({ index: { parts }, status }) =>
      [...parts].map(([source, { sets, refused, routes, hidden }]) => ({
        source,
        sets,
        refused,
        routes: routes.size,
        hidden: hidden.size,
        ...status,
      })),
    ),
  );
  return {
    /** Names of all sources of the registry, in upper case: the main one with its non-authoritative part first. */
    names,
    /** Those that a client may choose: also that of the routes made from ROAs, if there are any. */
    selectable: roaRoutes === undefined ? names : [...names, roaSourceName],
    /** Whether a source needs ROAs. */
    awaitsRoas,
    /** The names of sources in upper case, each once; instead of an alias its sources. */
    resolve: (requested: readonly string[]): readonly string[] => sourceNames(requested, o.sources),
    /**
     * The index of a source; undefined for an unknown one. Throws a ServiceError (unavailable) while it is not complete,
     * and, unless the caller also wants the hidden routes, while it waits for the first ROAs or for preferred sources.
     */
    source(name: string, withHidden: boolean = false): SourceContents | undefined {
      if (roaRoutes !== undefined && name === roaSourceName) return roaRoutes.contents();
      const store = storeOf.get(name);
      if (store === undefined) return undefined;
      const known = published.get(store);
      if (known === undefined) throw new ServiceError('unavailable', `The set index of ${store} is not complete`);
      if (!withHidden && !isJudged && o.isFiltered(name)) throw new ServiceError('unavailable', noRoas);
      if (!withHidden && !preference.isReady(name)) throw new ServiceError('unavailable', notCompared(name));
      return known.index.parts.get(name);
    },
    /** The state of a source; undefined while its index is not complete. */
    status: (name: string): SourceStatus | undefined => published.get(storeOf.get(name) ?? '')?.status,
    /** Throws while the index of a source is not complete. */
    async check(): Promise<void> {
      const missing = stores.filter((store) => !published.has(store));
      if (missing.length > 0) throw new Error(`the set index of ${missing.join(', ')} is not complete`);
      const waiting = ranked.find((name) => !preference.isReady(name));
      if (waiting !== undefined) throw new Error(notCompared(waiting));
    },
    /** Throws while the index waits for the first ROAs. */
    async checkRoas(): Promise<void> {
      if (!isJudged) throw new Error(noRoas);
    },
    /** Compares all routes with ROAs again: `isInvalid` has changed. */
    judge(): void {
      hasRoas = true;
      needsAll = true;
      compare.again();
    },
    async start() {
      if (ranked.length > 1)
        timer = setInterval(() => {
          // A request would end the one that runs.
          if (compare.isIdle() && rankedSerials() !== compared) compare.again();
        }, o.preferenceIntervalMs ?? preferenceIntervalMs);
      await Promise.all(followers.map((one) => one.start()));
    },
    async stop() {
      clearInterval(timer);
      await compare.stop();
      await Promise.all(followers.map((one) => one.stop()));
    },
  };
}

/** A change of a preferred source affects others after at most this time. */
const preferenceIntervalMs = 60_000;

const noRoas = 'no ROAs have been read and compared with all routes yet';

function notCompared(name: string): string {
  return `the routes of ${name} have not been compared with those of preferred sources yet`;
}

interface Comparison<T> {
  /** What to compare, in this order. */
  parts(): readonly T[];
  compare(part: T): Promise<void>;
  done(): void;
}

/** Compares routes again, one request after the other: the newest one counts, and is `done` at its end. */
function keepComparing<T>({ parts, compare, done }: Comparison<T>) {
  let requests = 0;
  let finished = 0;
  let isStopped = false;
  let running = Promise.resolve();
  const run = async (request: number) => {
    for (const part of parts()) {
      await compare(part);
      if (isStopped || request !== requests) return;
    }
    finished = request;
    done();
  };
  return {
    /** Whether the newest request is done. */
    isIdle: () => finished === requests,
    again() {
      const request = ++requests;
      running = running.then(() => run(request));
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** Receives the indexes of a source. */
interface Shelf {
  /** An index that is being filled. */
  begun(index: IndexedSource): void;
  /** A complete index. The previous one remains available until then. */
  complete(now: Published): void;
}

/** Loads and follows a source. */
function follower(
  o: SetIndexOptions,
  source: string,
  budget: IndexBudget,
  preference: RoutePreference,
  shelf: Shelf,
): Service {
  const { backends, logger } = o;
  const isMain = source === o.sources.main;
  let loaded: LoadedSource | undefined;
  const load = async (signal: AbortSignal) => {
    const begun = performance.now();
    const isHidden = (name: string): IsHidden => {
      const isFiltered = o.isFiltered(name);
      const overlapsPreferred = preference.overlaps(name);
      return (...route) => (isFiltered && o.isInvalid(...route)) || overlapsPreferred(...route);
    };
    const index = createIndexedSource(source, isMain, isHidden, budget.of(source));
    shelf.begun(index);
    const read = await loadSource(backends, source, index, logger, signal);
    logger.info(
      { source, serial: String(read.position.serial), ms: Math.round(performance.now() - begun) },
      'sets read',
    );
    return read;
  };
  const follow = async (signal: AbortSignal, succeeded: () => void) => {
    loaded ??= await load(signal);
    const { index } = loaded;
    const { serial: target } = await newestChange(backends.reader, source, signal);
    const reached = (serial: bigint) => {
      if (serial >= target) shelf.complete({ index, status: { serial, confirmed: new Date() } });
      succeeded();
    };
    reached(loaded.position.serial);
    for await (const position of followSource(backends, source, loaded, logger, signal)) {
      loaded = { index, position };
      reached(position.serial);
    }
    if (signal.aborted) return;
    logger.info({ source }, 'set index is far behind the registry: reading all again');
    loaded = undefined;
  };
  return keepTryingService({
    async work(signal, succeeded) {
      try {
        await follow(signal, succeeded);
      } catch (error) {
        if (!isLostPlace(error)) throw error;
        logger.warn({ source, reason: error.message }, 'set index lost its place in the changes: reading all again');
        loaded = undefined;
      }
    },
    onFailure(error, pauseMs, failures) {
      const facts = { source, reason: errorText(error), pauseMs };
      logStreamFailure(logger, { failures, facts, stream: 'change feed', broken: 'set index does not follow' });
    },
    pauses: o.pauses,
  });
}
