import { runMain } from '@cadastre/service';
import { createGatewayService, gatewaySettings } from './service.js';

await runMain('gateway', gatewaySettings, (settings, logger) => createGatewayService(settings, { logger }));
