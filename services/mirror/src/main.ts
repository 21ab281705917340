import { migrate, runMain, withCa } from '@cadastre/service';
import { createMirrorService, migrations } from './service.js';
import { migrationSettings, mirrorSettings } from './settings.js';

await runMain('mirror', mirrorSettings, (settings, logger) => createMirrorService(settings, { logger }), {
  migrate: {
    settings: migrationSettings,
    run: ({ databaseUrl, databaseCaFile }, logger) =>
      migrate({ url: withCa(databaseUrl, databaseCaFile), directory: migrations, logger }),
  },
});
