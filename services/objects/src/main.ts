import { runMain, withCa } from '@cadastre/service';
import { migrateObjects } from './migrate.js';
import { program } from './service.js';
import { migrationSpec } from './settings.js';

await runMain(program, {
  migrate: {
    settings: migrationSpec,
    run: ({ databaseUrl, storeCaFile }, logger) => migrateObjects({ url: withCa(databaseUrl, storeCaFile), logger }),
  },
});
