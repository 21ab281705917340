import { runMain, withCa } from '@cadastre/service';
import { migrateObjects } from './migrate.js';
import { createObjectsService } from './service.js';
import { migrationSpec, settingsSpec } from './settings.js';

await runMain('objects', settingsSpec, createObjectsService, {
  migrate: {
    settings: migrationSpec,
    run: ({ databaseUrl, databaseCaFile }, logger) =>
      migrateObjects({ url: withCa(databaseUrl, databaseCaFile), logger }),
  },
});
