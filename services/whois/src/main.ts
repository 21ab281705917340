import { runMain } from '@cadastre/service';
import { createWhoisService } from './service.js';
import { whoisSettings } from './settings.js';

await runMain('whois', whoisSettings, (settings, logger) => createWhoisService(settings, { logger }));
