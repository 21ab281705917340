import { createLogger, migrate, readSettings, runMain, SettingsError, withCa } from '@cadastre/service';
import { createSearchService, migrations } from './service.js';
import { migrationSettings, searchSettings } from './settings.js';

// `main.js` runs the service; `main.js migrate` migrates the database of its index to the newest schema.
if (process.argv[2] === 'migrate') await runMigrations();
else await runMain('search', searchSettings, (settings, logger) => createSearchService(settings, { logger }));

async function runMigrations(): Promise<void> {
  const { databaseUrl, databaseCaFile, logLevel: level } = readSettings(migrationSettings);
  if (databaseUrl === undefined) throw new SettingsError(['CADASTRE_SEARCH_DATABASE_URL: missing']);
  const url = withCa(databaseUrl, databaseCaFile);
  await migrate({ url, directory: migrations, logger: createLogger({ service: 'search', level }) });
}
