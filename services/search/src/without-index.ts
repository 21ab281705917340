import { SearchServiceService } from '@cadastre/proto/search';
import { createRpcService, implement, type Logger, type Service, ServiceError } from '@cadastre/service';
import { allowedCallers } from './rpc/index.js';
import type { SearchSettings } from './settings.js';

/** The service of a deployment that was given no index: it runs, refuses every call, and is never ready. */
export function createServiceWithoutIndex(settings: SearchSettings, logger: Logger): Service & { address(): string } {
  const refuse = () => {
    throw new ServiceError('unimplemented', 'This registry has no search index');
  };
  logger.warn('no index: CADASTRE_SEARCH_DATABASE_URL is not set');
  return createRpcService({
    name: 'search',
    settings,
    logger,
    implementations: [
      implement(SearchServiceService, { search: refuse, getIndexStatus: refuse, rebuildIndex: refuse }),
    ],
    allowedCallers: allowedCallers(settings.operators),
    checks: { index: async () => refuse() },
    release: async () => {},
  });
}
