import type { Logger, Metrics } from '@cadastre/service';
import type { SearchSettings } from '../settings.js';
import { createRoaPayloads, type RoaPayloads } from './roa-payloads.js';

type RoaSettings = Pick<SearchSettings, 'roaSource' | 'roaRefreshMs' | 'roaTrustAnchors'>;

const shortestRefreshMs = 1_000;

/** Makes the payloads as configured; without a source there are no warnings. */
export function chooseRoa(settings: RoaSettings, logger: Logger, metrics: Metrics): RoaPayloads {
  const { roaSource: source, roaRefreshMs, roaTrustAnchors } = settings;
  if (source === undefined)
    return { checkRoute: () => [], validateRoute: () => undefined, start: async () => {}, stop: async () => {} };
  const named = roaTrustAnchors.map((name) => name.toLowerCase());
  const trustAnchors = named.includes('all') ? [] : named;
  return createRoaPayloads({
    source,
    refreshMs: Math.max(roaRefreshMs, shortestRefreshMs),
    trustAnchors,
    logger,
    metrics,
  });
}
