import { holderPolicy } from '@cadastre/rpsl';
import { createRpcService, defineProgram, type Logger, type Service, serviceBasis } from '@cadastre/service';
import { connectObjects, type ObjectsClient } from './objects/client.js';
import { allowedCallers, implementations } from './rpc/index.js';
import { type GeoSettings, geoSettings } from './settings.js';

/** Replacements of the usual parts in tests and programs. */
export interface GeoOverrides {
  logger?: Logger;
  objects?: ObjectsClient & { close(): void };
}

/** Makes the geo service; `address` is known after `start`. */
export async function createGeoService(
  settings: GeoSettings,
  overrides: GeoOverrides = {},
): Promise<Service & { address(): string }> {
  const basis = serviceBasis('geo', settings, overrides.logger);
  const { tls, metrics } = basis;
  const objects = overrides.objects ?? connectObjects({ address: settings.objectsAddress, tls, metrics });
  return createRpcService({
    ...basis,
    implementations: implementations({ objects, policy: holderPolicy(settings) }),
    allowedCallers,
    checks: { objects: async () => void (await objects.listSources({})) },
    release: async () => objects.close(),
  });
}

/** The service as a program. */
export const program = defineProgram('geo', geoSettings, (settings, logger) => createGeoService(settings, { logger }));
