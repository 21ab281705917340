import { createLogger, readSettings, runMain, SettingsError, withCa } from '@cadastre/service';
import { migrateObjects } from './migrate.js';
import { createObjectsService } from './service.js';
import { migrationSpec, settingsSpec } from './settings.js';

// `main.js` runs the service; `main.js migrate` migrates its database to the newest schema.
if (process.argv[2] === 'migrate') await runMigrations();
else await runMain('objects', settingsSpec, createObjectsService);

async function runMigrations(): Promise<void> {
  try {
    const { databaseUrl, databaseCaFile, logLevel: level } = readSettings(migrationSpec);
    const url = withCa(databaseUrl, databaseCaFile);
    await migrateObjects({ url, logger: createLogger({ service: 'objects', level }) });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
