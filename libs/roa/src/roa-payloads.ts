import { setTimeout as delay } from 'node:timers/promises';
import { errorText, keepTryingService, type Logger, type Metrics, type Service } from '@cadastre/service';
import { type CheckRoute, routeCheck } from './check-route.js';
import { fetchExport } from './fetch-export.js';
import { type KnownExport, readExport } from './read-export.js';
import type { RoaIndex } from './roa-index.js';
import { registerRoaMetrics } from './roa-metrics.js';
import { conflictFinder, type FindConflict, routeValidator, type ValidateRoute } from './validate-route.js';

export interface RoaOptions {
  /** Name of the service, for metrics. */
  readonly service: string;
  /** Path of a file, or an http or https URL. */
  readonly source: string;
  readonly refreshMs: number;
  /** Names, lower case; none for all. */
  readonly trustAnchors: readonly string[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Called after the payloads in use have changed. */
  readonly onChange?: () => void;
}

/** Validated ROA payloads, refreshed while the service runs. */
export interface RoaPayloads extends Service {
  readonly checkRoute: CheckRoute;
  readonly validateRoute: ValidateRoute;
  readonly findConflict: FindConflict;
  /** The payloads in use; undefined until the first read. */
  current(): RoaIndex | undefined;
}

/** All current payloads take 60 MB. Text, entries and two indexes of this size fit into the service's heap. */
const maxBytes = 100_000_000;
const readTimeoutMs = 120_000;
const firstPauseMs = 10_000;

/**
 * Reads the payloads in the background at the start, and then regularly. After a failure or an empty export, the
 * previous payloads stay and the next attempt comes sooner.
 */
export function createRoaPayloads(o: RoaOptions): RoaPayloads {
  let known: KnownExport | undefined;
  registerRoaMetrics(o.service, o.metrics, () => known);
  const refresher = keepTryingService({
    async work(signal) {
      known = await load(o, signal);
      o.onChange?.();
      await delay(o.refreshMs, undefined, { signal });
    },
    onFailure: (error, pauseMs) =>
      o.logger.warn({ reason: reasonOf(error), pauseMs, age: known?.made }, 'cannot refresh the ROA payloads'),
    pauses: { firstMs: Math.min(firstPauseMs, o.refreshMs), maxMs: o.refreshMs },
  });
  const current = () => known?.index;
  return {
    ...refresher,
    current,
    checkRoute: routeCheck(current),
    validateRoute: routeValidator(current),
    findConflict: conflictFinder(current),
  };
}

async function load({ source, trustAnchors, logger }: RoaOptions, stopping: AbortSignal): Promise<KnownExport> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(readTimeoutMs)]);
  const { text, made } = await fetchExport(source, maxBytes, signal);
  const read = await readExport(text, new Set(trustAnchors));
  const { index, skipped, foreign } = read;
  if (index.size === 0) throw new Error(`No payloads among ${skipped} bad entries and ${foreign} of other anchors`);
  logger.info({ payloads: index.size, skipped, foreign, made }, 'ROA payloads read');
  return { ...read, made };
}

/** fetch gives the reason only in the cause of its errors. */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined
    ? `${error.message}: ${errorText(error.cause)}`
    : errorText(error);
}
