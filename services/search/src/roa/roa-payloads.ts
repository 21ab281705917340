import { setTimeout as delay } from 'node:timers/promises';
import { errorText, type Logger, type Metrics, type Service } from '@cadastre/service';
import type { CheckRoute } from '../annotations/ports.js';
import { keepTrying } from '../indexer/back-off.js';
import { routeCheck } from './check-route.js';
import { fetchExport } from './fetch-export.js';
import { type KnownExport, readExport } from './read-export.js';
import { registerRoaMetrics } from './roa-metrics.js';

export interface RoaOptions {
  /** Path of a file, or an http or https URL. */
  readonly source: string;
  readonly refreshMs: number;
  /** Names, lower case; none for all. */
  readonly trustAnchors: readonly string[];
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Validated ROA payloads, kept up to date while the service runs. */
export interface RoaPayloads extends Service {
  readonly checkRoute: CheckRoute;
}

/** All payloads of today take 60 MB. Text, entries and two indexes of this size fit into the heap of the service. */
const maxBytes = 100_000_000;
const patienceMs = 120_000;
const firstPauseMs = 10_000;

/**
 * Reads the payloads at the start, without anybody waiting for it, and then again and again. When that fails, and when
 * there are none, those of before stay and the next attempt comes sooner.
 */
export function createRoaPayloads(o: RoaOptions): RoaPayloads {
  const stopping = new AbortController();
  let known: KnownExport | undefined;
  let running = Promise.resolve();
  registerRoaMetrics(o.metrics, () => known);
  const refresh = async () => {
    known = await load(o, stopping.signal);
    await delay(o.refreshMs, undefined, { signal: stopping.signal });
  };
  const onFailure = (error: unknown, pauseMs: number) =>
    o.logger.warn({ reason: reasonOf(error), pauseMs, age: known?.made }, 'ROA payloads cannot be refreshed');
  return {
    checkRoute: routeCheck(() => known?.index),
    async start() {
      running = keepTrying(
        refresh,
        onFailure,
        { firstMs: Math.min(firstPauseMs, o.refreshMs), longestMs: o.refreshMs },
        stopping.signal,
      );
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function load({ source, trustAnchors, logger }: RoaOptions, stopping: AbortSignal): Promise<KnownExport> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(patienceMs)]);
  const { text, made } = await fetchExport(source, maxBytes, signal);
  const read = await readExport(text, new Set(trustAnchors));
  const { index, skipped, foreign } = read;
  if (index.size === 0) throw new Error(`No payloads among ${skipped} bad entries and ${foreign} of other anchors`);
  logger.info({ payloads: index.size, skipped, foreign, made }, 'ROA payloads read');
  return { ...read, made };
}

/** What fetch throws says why only in its cause. */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined
    ? `${error.message}: ${errorText(error.cause)}`
    : errorText(error);
}
