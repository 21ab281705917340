import { createLogger, createRpcService, type Logger, type Service } from '@cadastre/service';
import { allowedCallers, implementations } from './rpc/index.js';
import type { GeoSettings } from './settings.js';

/** Makes the geo service; `address` is known after `start`. */
export async function createGeoService(
  settings: GeoSettings,
  overrides: { logger?: Logger } = {},
): Promise<Service & { address(): string }> {
  return createRpcService({
    name: 'geo',
    settings,
    logger: overrides.logger ?? createLogger({ service: 'geo', level: settings.logLevel }),
    implementations: implementations(),
    allowedCallers: allowedCallers(settings.operators),
    checks: {},
    release: async () => {},
  });
}
