import { runMain } from '@cadastre/service';
import { createSearchService } from './service.js';
import { searchSettings } from './settings.js';

await runMain('search', searchSettings, (settings, logger) => createSearchService(settings, { logger }));
