import { type Mirror, type MirrorServiceService, MirrorState, OriginKind } from '@cadastre/proto/mirror';
import { type Handler, type Logger, ServiceError } from '@cadastre/service';
import type { Pool } from 'pg';
import { classNames } from '../follow/classes.js';
import { resetMirror as forget, readMirrors, type StoredMirror } from '../follow/follow-store.js';
import type { Origin } from '../follow/origin.js';
import type { Origins } from '../follow/read-origins.js';

/** The copies of the configuration; one without any attempted update has no times. */
export function listMirrors(o: { pool: Pool; origins: Origins }): Handler<typeof MirrorServiceService.listMirrors> {
  const { pool, origins } = o;
  return async () => {
    const stored = await readMirrors(pool, [...origins.keys()]);
    const bySource = new Map(stored.map((mirror) => [mirror.source, mirror]));
    const named = [...origins].sort(([a], [b]) => (a < b ? -1 : 1));
    return { mirrors: named.map(([source, origin]) => mirrorOf(source, origin, bySource.get(source))) };
  };
}

const kinds = {
  nrtm4: OriginKind.ORIGIN_KIND_NRTM4,
  nrtm3: OriginKind.ORIGIN_KIND_NRTM3,
  dump: OriginKind.ORIGIN_KIND_DUMP,
};

function mirrorOf(source: string, origin: Origin, stored: StoredMirror | undefined): Mirror {
  const { kind, address, originSource, ownNetwork, warnings } = origin;
  const { applied = { loads: 0, puts: 0, deletes: 0, rejected: 0 } } = stored ?? {};
  return {
    source,
    kind: kinds[kind],
    origin: address,
    originSource,
    ownNetwork,
    state: stateOf(stored),
    sessionId: stored?.sessionId ?? '',
    version: stored?.version == null ? undefined : BigInt(stored.version),
    checkedAt: stored?.checked ?? undefined,
    changedAt: stored?.changed ?? undefined,
    staleSince: stored?.staleSince ?? undefined,
    failedAt: stored?.failed ?? undefined,
    error: stored?.error ?? '',
    warnings: [...warnings],
    classes: classNames(origin.classes) ?? [],
    counts: {
      loads: BigInt(applied.loads),
      puts: BigInt(applied.puts),
      deletes: BigInt(applied.deletes),
      rejected: BigInt(applied.rejected),
    },
  };
}

function stateOf(stored: StoredMirror | undefined): MirrorState {
  if (stored?.fault === 'refused') return MirrorState.MIRROR_STATE_REFUSED;
  if (stored == null || stored.checked === null) return MirrorState.MIRROR_STATE_LOADING;
  return stored.staleSince === null ? MirrorState.MIRROR_STATE_CURRENT : MirrorState.MIRROR_STATE_STALE;
}

/** The follower checks for resets every few seconds while it waits after a fault, and before each update. */
export function resetMirror(o: {
  pool: Pool;
  origins: Origins;
  logger: Logger;
}): Handler<typeof MirrorServiceService.resetMirror> {
  const { pool, origins, logger } = o;
  return async ({ source: given }, { caller }) => {
    const source = given.toUpperCase();
    if (!origins.has(source)) throw new ServiceError('not-found', `The source ${source} follows no origin`);
    await forget(pool, source);
    logger.info({ source, caller }, 'reset mirror');
    return {};
  };
}
