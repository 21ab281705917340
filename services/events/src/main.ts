import { runMain } from '@cadastre/service';
import { createEventsService } from './service.js';
import { eventsSettings } from './settings.js';

await runMain('events', eventsSettings, (settings, logger) => createEventsService(settings, { logger }));
