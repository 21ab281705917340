import { runMain, withCa } from '@cadastre/service';
import { migrateObjects } from './migrate.js';
import { program } from './service.js';
import { migrationSpec } from './settings.js';

await runMain(program, {
  migrate: {
    settings: migrationSpec,
    run: ({ databaseUrl, databaseCaFile }, logger) =>
      migrateObjects({ url: withCa(databaseUrl, databaseCaFile), logger }),
  },
});
