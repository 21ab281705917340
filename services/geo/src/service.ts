import { createLogger, createRpcService, type Logger, type Service, tlsFiles } from '@cadastre/service';
import { policyOf } from './context.js';
import { connectObjects, type ObjectsClient } from './objects/client.js';
import { allowedCallers, implementations } from './rpc/index.js';
import type { GeoSettings } from './settings.js';

/** What tests and programs may put in place of the usual parts. */
export interface GeoOverrides {
  logger?: Logger;
  objects?: ObjectsClient & { close(): void };
}

/** Makes the geo service; `address` is known after `start`. */
export async function createGeoService(
  settings: GeoSettings,
  overrides: GeoOverrides = {},
): Promise<Service & { address(): string }> {
  const objects = overrides.objects ?? connectObjects({ address: settings.objectsAddress, tls: tlsFiles(settings) });
  return createRpcService({
    name: 'geo',
    settings,
    logger: overrides.logger ?? createLogger({ service: 'geo', level: settings.logLevel }),
    implementations: implementations({ objects, policy: policyOf(settings) }),
    allowedCallers: allowedCallers(settings.operators),
    checks: { objects: async () => void (await objects.listSources({})) },
    release: async () => objects.close(),
  });
}
