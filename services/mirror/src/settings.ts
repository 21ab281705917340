import {
  addressSettings,
  baseSettings,
  egressSettings,
  publicTextSettings,
  rpcSettings,
  setting,
  sourceSettings,
  storeCaSettings,
  termsSettings,
  type Values,
} from '@cadastre/service';
import { timeOfDay } from './dumps/schedule.js';
import { storeSettings } from './files/choose-store.js';

const dumpTime = setting.text({
  name: 'CADASTRE_MIRROR_DUMP_TIME',
  doc: 'Time of day (UTC) at which the dumps are written.',
  default: '00:00',
});

/** The settings of the mirror service. */
export const mirrorSettings = {
  ...baseSettings,
  ...rpcSettings,
  ...storeCaSettings,
  ...sourceSettings,
  ...publicTextSettings,
  ...storeSettings,
  ...egressSettings,
  published: setting.list({
    name: 'CADASTRE_MIRROR_PUBLISH',
    doc: 'Names of the sources that this registry publishes by NRTMv4, without persons, e-mail addresses and password hashes. MAIN is the main source without its non-authoritative part, MAIN-NONAUTH that part. Default: none.',
    default: [],
  }),
  keysDirectory: setting.text({
    name: 'CADASTRE_MIRROR_KEYS_DIR',
    doc: 'Directory of the private keys (PEM) that sign publications: signing-key.pem and, to announce the key that follows it, next-signing-key.pem. Required with CADASTRE_MIRROR_PUBLISH.',
    optional: true,
  }),
  originsFile: setting.text({
    name: 'CADASTRE_MIRROR_ORIGINS_FILE',
    doc: 'JSON file that names the origin of each copy that this service keeps current, by the name of its source in CADASTRE_GRS_SOURCES: {"EXAMPLE-GRS": {"nrtm4": {"url", "source", "key"}}}. docs/use/mirroring.md has all members. Default: none, and only operators load copies.',
    optional: true,
  }),
  dumped: setting.list({
    name: 'CADASTRE_MIRROR_DUMPS',
    doc: 'Names of the sources of which this registry offers daily dumps, without persons, e-mail addresses and password hashes; MAIN-NONAUTH is the non-authoritative part of the main one. Default: none.',
    default: [],
  }),
  dumpTime: {
    ...dumpTime,
    form: 'HH:MM',
    parse: (value: string): { value: string } | { problem: string } =>
      timeOfDay(value) === undefined ? { problem: 'must be a time of day such as 03:30' } : { value },
  },
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
