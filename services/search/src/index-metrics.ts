import type { Metrics } from '@cadastre/service';
import { Gauge } from 'prom-client';
import type { SearchIndex } from './index-port.js';
import type { Indexer } from './indexer/indexer.js';
import type { ObjectsBackend } from './indexer/objects-backend.js';

interface Options {
  readonly index: SearchIndex;
  readonly indexer: Pick<Indexer, 'confirmed'>;
  readonly backend: ObjectsBackend;
  readonly sources: readonly string[];
  readonly metrics: Metrics;
}

/** Timeout for asking the objects service while metrics are read. */
const timeoutMs = 2_000;

/** Registers how far the index is behind the registry, measured when the metrics are read. */
export function registerIndexMetrics({ index, indexer, backend, sources, metrics }: Options): void {
  const gauge = (name: string, help: string, collect: (this: Gauge<'source'>) => Promise<void>) =>
    new Gauge({ name, help, labelNames: ['source'], registers: [metrics], collect });
  gauge('cadastre_search_index_serial', 'Serial that queries see.', async function () {
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
    const newest = await backend.reader.listSources({}, { deadlineMs: timeoutMs }).catch(() => undefined);
    for (const { name: source, serial } of newest?.sources ?? []) {
      if (!sources.includes(source)) continue;
      const lag = serial - ((await positionOf(index, source))?.serial ?? 0n);
      this.set({ source }, Math.max(0, Number(lag)));
    }
  });
}

/** Metrics work while the index is unavailable. */
function positionOf(index: SearchIndex, source: string) {
  return index.position(source).catch(() => undefined);
}
