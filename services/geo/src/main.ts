import { runMain } from '@cadastre/service';
import { createGeoService } from './service.js';
import { geoSettings } from './settings.js';

await runMain('geo', geoSettings, (settings, logger) => createGeoService(settings, { logger }));
