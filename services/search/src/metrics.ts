import type { FailureKind, Metrics } from '@cadastre/service';
import { Counter, Gauge } from 'prom-client';
import type { RebuildState, SearchIndex } from './index-port.js';
import type { Indexer } from './indexer/indexer.js';

interface Options {
  readonly index: Pick<SearchIndex, 'position' | 'rebuildState'>;
  readonly indexer: Pick<Indexer, 'confirmed' | 'newest'>;
  readonly sources: readonly string[];
  readonly metrics: Metrics;
}

/**
 * Registers how far the index is behind the registry, and the progress of its rebuilds, measured when the metrics are
 * read.
 */
export function registerIndexMetrics(o: Options): void {
  registerPosition(o);
  registerRebuilds(o);
}

function registerPosition({ index, indexer, sources, metrics }: Options): void {
  const gauge = (name: string, help: string, collect: (this: Gauge<'source'>) => Promise<void>) =>
    new Gauge({ name, help, labelNames: ['source'], registers: [metrics], collect });
  gauge('cadastre_search_index_serial', 'Serial that queries see; 0 without an index.', async function () {
    for (const source of sources) this.set({ source }, Number((await positionOf(index, source))?.serial ?? 0n));
  });
  gauge('cadastre_search_index_lag_seconds', 'Time since the index was known to be complete.', async function () {
    for (const source of sources) {
      // Another process may have advanced the index.
      const times = [(await positionOf(index, source))?.reached, indexer.confirmed(source)];
      const known = times.flatMap((time) => time?.getTime() ?? []);
      if (known.length > 0) this.set({ source }, Math.max(0, (Date.now() - Math.max(...known)) / 1000));
    }
  });
  gauge('cadastre_search_index_lag_serials', 'Changes that queries do not see yet.', async function () {
    for (const [source, serial] of (await indexer.newest()) ?? []) {
      if (!sources.includes(source)) continue;
      const lag = serial - ((await positionOf(index, source))?.serial ?? 0n);
      this.set({ source }, Math.max(0, Number(lag)));
    }
  });
}

/** The stored state, so that every replica reports the same, whichever runs the rebuild. */
function registerRebuilds({ index, indexer, sources, metrics }: Options): void {
  const gauge = (name: string, help: string, measure: (source: string, state: RebuildState) => Promise<number>) =>
    new Gauge({
      name,
      help,
      labelNames: ['source'],
      registers: [metrics],
      async collect() {
        for (const source of sources) {
          const state = await index.rebuildState(source).catch(() => undefined);
          this.set({ source }, state === undefined ? 0 : await measure(source, state));
        }
      },
    });
  const isUnfinished = ({ phase }: RebuildState) => phase !== 'finished' && phase !== 'failed';
  gauge(
    'cadastre_search_index_rebuild_objects',
    'Objects in the index that is being built; 0 without a rebuild.',
    async (_, state) => (isUnfinished(state) ? Number(state.objects) : 0),
  );
  gauge(
    'cadastre_search_index_rebuild_lag_serials',
    'Changes that the index that is being built does not have yet; 0 without a rebuild.',
    async (source, state) => {
      const newest = isUnfinished(state) ? (await indexer.newest())?.get(source) : undefined;
      return newest === undefined ? 0 : Math.max(0, Number(newest - state.serial));
    },
  );
  gauge(
    'cadastre_search_index_rebuild_failing',
    'Whether the newest rebuild failed or waits after a failure: 1 or 0.',
    async (_, { failure }) => (failure === undefined ? 0 : 1),
  );
}

/** Metrics work while the index is unavailable. */
function positionOf(index: Options['index'], source: string) {
  return index.position(source).catch(() => undefined);
}

/** Counts a first page by the outcome of its search: the call succeeds even if the search fails. */
export type CountFirstPage = (outcome: 'ok' | FailureKind) => void;

/** Registers `cadastre_search_first_pages_total`. */
export function firstPageMetrics(metrics: Metrics): CountFirstPage {
  const counter = new Counter({
    name: 'cadastre_search_first_pages_total',
    help: 'Searches for a first page by outcome: ok, or the kind of the failure',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  return (outcome) => counter.inc({ outcome });
}
