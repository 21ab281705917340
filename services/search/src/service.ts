import { createLogger, createRpcService, type Logger, type Service } from '@cadastre/service';
import { allowedCallers, implementations } from './rpc/index.js';
import type { SearchSettings } from './settings.js';

/** Makes the search service; `address` is known after `start`. */
export async function createSearchService(
  settings: SearchSettings,
  overrides: { logger?: Logger } = {},
): Promise<Service & { address(): string }> {
  return createRpcService({
    name: 'search',
    settings,
    logger: overrides.logger ?? createLogger({ service: 'search', level: settings.logLevel }),
    implementations: implementations(),
    allowedCallers: allowedCallers(settings.operators),
    checks: {},
    release: async () => {},
  });
}
