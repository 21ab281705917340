import { migrate, runMain, withCa } from '@cadastre/service';
import { program } from './service.js';
import { migrationSettings } from './settings.js';

const migrations = new URL('../migrations/', import.meta.url);

await runMain(program, {
  migrate: {
    settings: migrationSettings,
    run: ({ databaseUrl, storeCaFile }, logger) =>
      migrate({ url: withCa(databaseUrl, storeCaFile), directory: migrations, logger }),
  },
});
