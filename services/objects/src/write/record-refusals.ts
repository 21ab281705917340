import { errorText, type Logger, type Metrics } from '@cadastre/service';
import type pg from 'pg';
import { Counter } from 'prom-client';
import { recordRefusal } from '../store/notices.js';
import type { RefusalNotices } from './write.js';

/** Records refusals; a failure is logged and counted, because the refusal itself does not depend on it. */
export function refusalNotices(
  writePool: pg.Pool,
  { logger, metrics }: { readonly logger: Logger; readonly metrics?: Metrics },
): RefusalNotices {
  const failures = new Counter({
    name: 'cadastre_refusal_notices_failed_total',
    help: 'Number of refusals that could not be recorded for notification',
    registers: metrics ? [metrics] : [],
  });
  return async (source, notice) => {
    try {
      await recordRefusal(writePool, source.id, notice);
    } catch (error) {
      failures.inc();
      logger.warn({ reason: errorText(error) }, 'cannot record the notice of a refusal');
    }
  };
}
