import { migrate, runMain, SettingsError, withCa } from '@cadastre/service';
import { migrations, program } from './service.js';
import { migrationSettings } from './settings.js';

await runMain(program, {
  migrate: {
    settings: migrationSettings,
    async run({ databaseUrl, databaseCaFile }, logger) {
      if (databaseUrl === undefined) throw new SettingsError(['CADASTRE_SEARCH_DATABASE_URL: is missing']);
      await migrate({ url: withCa(databaseUrl, databaseCaFile), directory: migrations, logger });
    },
  },
});
