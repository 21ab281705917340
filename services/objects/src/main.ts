import { createLogger, migrate, readSettings, runMain, SettingsError } from '@cadastre/service';
import { createObjectsService, migrations } from './service.js';
import { migrationSpec, settingsSpec } from './settings.js';

// `main.js` runs the service, `main.js migrate` brings its database to the newest schema.
if (process.argv[2] === 'migrate') await runMigrations();
else await runMain('objects', settingsSpec, createObjectsService);

async function runMigrations(): Promise<void> {
  try {
    const { databaseUrl: url, logLevel: level } = readSettings(migrationSpec);
    await migrate({ url, directory: migrations, logger: createLogger({ service: 'objects', level }) });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
