import { runMain, withCa } from '@cadastre/service';
import { migrateObjects } from './migrate.js';
import { program } from './service.js';
import { migrationSettings } from './settings.js';

await runMain(program, {
  migrate: {
    settings: migrationSettings,
    run: ({ databaseUrl, storeCaFile }, logger) => migrateObjects({ url: withCa(databaseUrl, storeCaFile), logger }),
  },
});
