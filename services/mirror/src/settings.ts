import {
  addressSettings,
  baseSettings,
  publicTextSettings,
  rpcSettings,
  setting,
  sourceSettings,
  storeCaSettings,
  termsSettings,
  type Values,
} from '@cadastre/service';
import { dumpSettings } from './dumps/dump-settings.js';
import { storeSettings } from './files/store-settings.js';
import { followSettings } from './follow/follow-settings.js';
import { publishSettings } from './publish/publish-settings.js';

/** The settings of the mirror service. */
export const mirrorSettings = {
  ...baseSettings,
  ...rpcSettings,
  ...storeCaSettings,
  ...sourceSettings,
  ...publicTextSettings,
  ...storeSettings,
  ...publishSettings,
  ...followSettings,
  ...dumpSettings,
  ...termsSettings,
  databaseUrl: setting.databaseUrl({ name: 'CADASTRE_DATABASE_URL', doc: 'URL of the PostgreSQL database.' }),
  objectsAddress: addressSettings.objectsAddress,
};

/** The settings of `main.js migrate`. */
export const migrationSettings = {
  ...storeCaSettings,
  logLevel: baseSettings.logLevel,
  databaseUrl: mirrorSettings.databaseUrl,
};

/** The values of these settings. */
export type MirrorSettings = Values<typeof mirrorSettings>;
