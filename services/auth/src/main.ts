import { migrate, runMain, withCa } from '@cadastre/service';
import { createAuthService } from './service.js';
import { authSettings, migrationSettings } from './settings.js';

const migrations = new URL('../migrations/', import.meta.url);

await runMain('auth', authSettings, (settings, logger) => createAuthService(settings, { logger }), {
  migrate: {
    settings: migrationSettings,
    run: ({ databaseUrl, databaseCaFile }, logger) =>
      migrate({ url: withCa(databaseUrl, databaseCaFile), directory: migrations, logger }),
  },
});
