import type { Logger, Metrics } from '@cadastre/service';
import { createAdmission } from './admission.js';
import { createClientCertificates } from './client-certificate.js';
import { createLookupBatcher } from './clients/lookup-batcher.js';
import { createLookupCache } from './clients/lookup-cache.js';
import type { Neighbours } from './clients/neighbours.js';
import type { Context } from './context.js';
import type { LimitSystem } from './limits/limit-system.js';
import { createOwnership } from './limits/ownership.js';
import { interfaceText } from './openapi/interface-text.js';
import { createRequestMetrics } from './request-metrics.js';
import { serverVersion } from './server-version.js';
import type { GatewaySettings } from './settings.js';
import { createTrustedProxies } from './trusted-proxies.js';
import { readWebFiles } from './web-files.js';

/** What the context is made of. */
export interface ContextOptions {
  readonly settings: GatewaySettings;
  readonly neighbours: Neighbours;
  readonly limiting: Pick<LimitSystem, 'consumers' | 'limits'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Wires the context. Rejects when the files of the web interface cannot be read. */
export async function createContext(o: ContextOptions): Promise<Context> {
  const { settings, neighbours, limiting, logger, metrics } = o;
  const { reader } = neighbours;
  const version = serverVersion(settings);
  return {
    ...neighbours,
    settings,
    admission: createAdmission(settings, metrics),
    lookUp: createLookupBatcher(reader, { size: 100, callsInFlight: 8, deadlineMs: settings.readDeadline }),
    cache: createLookupCache(settings.cacheBytes),
    clientCertificates: createClientCertificates(settings.clientCertFrom),
    trustedProxies: createTrustedProxies(settings),
    webFiles: await readWebFiles(settings.webDirectory),
    consumers: limiting.consumers,
    limits: limiting.limits,
    isOwn: createOwnership(reader, settings.readDeadline),
    version,
    interfaceDescription: Buffer.from(interfaceText(version.version)),
    logger,
    metrics: createRequestMetrics(metrics),
  };
}
