import type { Metrics } from '@cadastre/service';
import { Gauge } from 'prom-client';
import type { Context } from './context.js';
import { sourceStates } from './store/sources.js';

/** An unfinished load matters for hours, and several systems may read the metrics. */
const maxAgeMs = 30_000;

/**
 * Registers `cadastre_replacing_since_seconds`: since when (Unix time) readers of a source see a part of a replacing
 * load that is not finished; no sample otherwise. A scrape gets the cached value and never waits for the database.
 */
export function reportUnfinishedReplaces(metrics: Metrics, { sources, readPool }: Context): void {
  let known: ReadonlyMap<string, Date> = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async () => {
    const states = await sourceStates(readPool);
    const since = sources.all.map(({ id, name }) => [name, states.get(id)?.replacingSince] as const);
    known = new Map(since.filter((one): one is readonly [string, Date] => one[1] !== undefined));
  };
  new Gauge({
    name: 'cadastre_replacing_since_seconds',
    help: 'Unix time since which readers see a part of a replacing load that is not finished',
    labelNames: ['source'],
    registers: [metrics],
    collect() {
      if (performance.now() - readAt >= maxAgeMs) {
        readAt = performance.now();
        read().catch(() => {}); // The database is unavailable, which other metrics show.
      }
      this.reset();
      for (const [source, since] of known) this.set({ source }, since.getTime() / 1000);
    },
  });
}
