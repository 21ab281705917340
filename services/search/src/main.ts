import { migrate, runMain, withCa } from '@cadastre/service';
import { migrations, program } from './service.js';
import { migrationSettings } from './settings.js';

await runMain(program, {
  migrate: {
    settings: migrationSettings,
    async run({ databaseUrl, databaseCaFile }, logger) {
      await migrate({ url: withCa(databaseUrl, databaseCaFile), directory: migrations, logger });
    },
  },
});
