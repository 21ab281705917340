import {
  addressSettings,
  baseSettings,
  publicTextSettings,
  registrySettings,
  rpcSettings,
  setting,
  sourceSettings,
  storeCaSettings,
  type Values,
  webhookSettings,
} from '@cadastre/service';
import { dnsSettings } from './dns/dns-settings.js';
import { policySettings, storageSettings } from './policy-settings.js';

/** The settings of the objects service. */
export const objectsSettings = {
  ...baseSettings,
  ...rpcSettings,
  ...storeCaSettings,
  ...registrySettings,
  ...policySettings,
  ...storageSettings,
  ...dnsSettings,
  ...sourceSettings,
  ...publicTextSettings,
  ...webhookSettings,
  authAddress: addressSettings.authAddress,
  databaseUrl: setting.databaseUrl({
    name: 'CADASTRE_DATABASE_URL',
    doc: 'URL of the PostgreSQL database of objects.',
  }),
  readDatabaseUrl: setting.databaseUrl({
    name: 'CADASTRE_OBJECTS_READ_DATABASE_URL',
    doc: 'URL of read replicas (physical standbys) of that database. Lookups read a replica if it has every change, else the primary. Default: always the primary.',
    optional: true,
  }),
  readConnections: setting.integer({
    name: 'CADASTRE_OBJECTS_READ_CONNECTIONS',
    doc: 'Maximum database connections for reads, to the primary and to the read replicas each. Lookups are batched: few connections are faster than many.',
    default: 4,
    min: 1,
    max: 100,
  }),
  writeConnections: setting.integer({
    name: 'CADASTRE_OBJECTS_WRITE_CONNECTIONS',
    doc: 'Maximum database connections for writes. One of them stores, the others load what writes are decided by.',
    default: 10,
    min: 2,
    max: 100,
  }),
  notifications: setting.flag({
    name: 'CADASTRE_OBJECTS_NOTIFICATIONS',
    doc: 'Whether writes record whom to tell of them (`notify`, `mnt-nfy`, `upd-to`, `ref-nfy`, `irt-nfy`). Set it where the events service runs, which sends the mails.',
    default: false,
  }),
  webhookKey: webhookKey({
    name: 'CADASTRE_OBJECTS_WEBHOOK_KEY',
    doc: 'Secret from which the secrets of webhooks are computed, at least 32 characters; another one changes them all. Default: none, and there are no webhooks. Set it where the events service runs with CADASTRE_WEBHOOKS.',
    optional: true,
  }),
  changeDays: setting.integer({
    name: 'CADASTRE_OBJECTS_CHANGE_DAYS',
    doc: 'Days for which the change feed keeps changes; 0 keeps all. Followers that are further behind start from an export. Versions of objects of the main source are always kept.',
    default: 30,
    min: 0,
    max: 36_500,
  }),
  grsVersions: setting.flag({
    name: 'CADASTRE_OBJECTS_GRS_VERSIONS',
    doc: 'Whether copies of other registries (`CADASTRE_GRS_SOURCES`) keep versions and deleted objects for ever. Otherwise they have the current version, and older ones for as long as the change feed keeps their changes.',
    default: false,
  }),
};

export type ObjectsSettings = Values<typeof objectsSettings>;

/** The settings of `main.js migrate`. */
export const migrationSettings = {
  ...storeCaSettings,
  logLevel: baseSettings.logLevel,
  databaseUrl: objectsSettings.databaseUrl,
};

function webhookKey(options: { name: string; doc: string; optional: true }) {
  const secret = setting.secret(options);
  return {
    ...secret,
    parse: (value: string) => (value.length >= 32 ? { value } : { problem: 'must have at least 32 characters' }),
  };
}
