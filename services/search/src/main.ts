import { migrate, runMain, withCa } from '@cadastre/service';
import { migrations, program } from './service.js';
import { migrationSettings } from './settings.js';

await runMain(program, {
  migrate: {
    settings: migrationSettings,
    async run({ databaseUrl, storeCaFile }, logger) {
      await migrate({ url: withCa(databaseUrl, storeCaFile), directory: migrations, logger });
    },
  },
});
