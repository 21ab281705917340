import type { Values } from '@cadastre/service';
import { createRoaPayloads, type RoaOptions, type RoaPayloads } from './roa-payloads.js';
import type { roaSettings } from './roa-settings.js';

const minRefreshMs = 1_000;

/** Makes the payloads as configured; without a source there are never any. */
export function chooseRoa(
  settings: Values<typeof roaSettings>,
  around: Pick<RoaOptions, 'service' | 'logger' | 'metrics' | 'onChange'>,
): RoaPayloads {
  const { roaSource: source, roaRefreshMs, roaTrustAnchors } = settings;
  if (source === undefined) {
    const none = () => undefined;
    const checks = { checkRoute: () => [], validateRoute: none, findConflict: none, current: none };
    return { ...checks, start: async () => {}, stop: async () => {} };
  }
  const named = roaTrustAnchors.map((name) => name.toLowerCase());
  const trustAnchors = named.includes('all') ? [] : named;
  return createRoaPayloads({ ...around, source, refreshMs: Math.max(roaRefreshMs, minRefreshMs), trustAnchors });
}
