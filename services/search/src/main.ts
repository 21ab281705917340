import { migrate, runMain, SettingsError, withCa } from '@cadastre/service';
import { createSearchService, migrations } from './service.js';
import { migrationSettings, searchSettings } from './settings.js';

await runMain('search', searchSettings, (settings, logger) => createSearchService(settings, { logger }), {
  migrate: {
    settings: migrationSettings,
    async run({ databaseUrl, databaseCaFile }, logger) {
      if (databaseUrl === undefined) throw new SettingsError(['CADASTRE_SEARCH_DATABASE_URL: is missing']);
      await migrate({ url: withCa(databaseUrl, databaseCaFile), directory: migrations, logger });
    },
  },
});
