import { migrate, runMain, withCa } from '@cadastre/service';
import { migrations, program } from './service.js';
import { migrationSettings } from './settings.js';

await runMain(program, {
  migrate: {
    settings: migrationSettings,
    run: ({ databaseUrl, storeCaFile }, logger) =>
      migrate({ url: withCa(databaseUrl, storeCaFile), directory: migrations, logger }),
  },
});
