import type { MirrorServiceService } from '@cadastre/proto/mirror';
import { type Handler, type Logger, ServiceError } from '@cadastre/service';
import type { Pool } from 'pg';
import { resetMirror as forget } from '../follow/follow-store.js';
import type { Origins } from '../follow/read-origins.js';

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
