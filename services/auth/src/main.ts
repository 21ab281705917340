import { migrate, runMain, withCa } from '@cadastre/service';
import { program } from './service.js';
import { migrationSettings } from './settings.js';

const migrations = new URL('../migrations/', import.meta.url);

await runMain(program, {
  migrate: {
    settings: migrationSettings,
    run: ({ databaseUrl, databaseCaFile }, logger) =>
      migrate({ url: withCa(databaseUrl, databaseCaFile), directory: migrations, logger }),
  },
});
