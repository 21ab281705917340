import { migrate, runMain } from '@cadastre/service';
import { createAuthService } from './service.js';
import { authSettings } from './settings.js';

const migrations = new URL('../migrations/', import.meta.url);

await runMain('auth', authSettings, (settings, logger) => createAuthService(settings, { logger }), {
  migrate: (settings, logger) => migrate({ url: settings.databaseUrl, directory: migrations, logger }),
});
