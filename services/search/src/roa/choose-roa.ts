import type { Logger, Metrics } from '@cadastre/service';
import type { SearchSettings } from '../settings.js';
import { createRoaPayloads, type RoaPayloads } from './roa-payloads.js';

type RoaSettings = Pick<SearchSettings, 'roaSource' | 'roaRefreshMs' | 'roaTrustAnchors'>;

const shortestRefreshMs = 1_000;

/** The payloads that the settings ask for; without a source every route agrees. */
export function chooseRoa(settings: RoaSettings, logger: Logger, metrics: Metrics): RoaPayloads {
  const { roaSource: source, roaRefreshMs, roaTrustAnchors } = settings;
  if (source === undefined) return { checkRoute: () => [], start: async () => {}, stop: async () => {} };
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
