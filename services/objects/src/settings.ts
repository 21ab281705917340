import { baseSettings, rpcSettings, setting, type Values } from '@cadastre/service';
import { dnsSettings } from './dns/dns-settings.js';
import { policySettings } from './policy-settings.js';

/** The settings of the objects service. */
export const settingsSpec = {
  ...baseSettings,
  ...rpcSettings,
  ...policySettings,
  ...dnsSettings,
  grsSources: setting.list({
    name: 'CADASTRE_GRS_SOURCES',
    doc: 'Names of the sources that hold copies of other registries.',
    default: [],
  }),
  listen: setting.address({
    name: 'CADASTRE_OBJECTS_LISTEN',
    doc: 'Address on which the RPC server listens.',
    default: '127.0.0.1:9401',
  }),
  operations: setting.address({
    name: 'CADASTRE_OBJECTS_OPERATIONS',
    doc: 'Address of the port for health and metrics; none unless set.',
    optional: true,
  }),
  databaseUrl: setting.secret({
    name: 'CADASTRE_OBJECTS_DATABASE_URL',
    doc: 'URL of the PostgreSQL database that holds the objects.',
  }),
  authAddress: setting.peerAddress({
    name: 'CADASTRE_AUTH_ADDRESS',
    doc: 'Address of the auth service, which knows the accounts.',
    default: '127.0.0.1:9402',
  }),
  readConnections: setting.integer({
    name: 'CADASTRE_OBJECTS_READ_CONNECTIONS',
    doc: 'Most connections to the database for reading. Lookups come in batches: few are faster than many.',
    default: 4,
    min: 1,
    max: 100,
  }),
  writeConnections: setting.integer({
    name: 'CADASTRE_OBJECTS_WRITE_CONNECTIONS',
    doc: 'Most connections to the database for writing; so many updates run at once.',
    default: 10,
    min: 1,
    max: 100,
  }),
  publicCallers: setting.list({
    name: 'CADASTRE_OBJECTS_PUBLIC_CALLERS',
    doc: 'Callers that get no complete objects, because the public is behind them.',
    default: ['gateway'],
  }),
};

export type Settings = Values<typeof settingsSpec>;

/** The settings of `main.js migrate`. */
export const migrationSpec = { logLevel: baseSettings.logLevel, databaseUrl: settingsSpec.databaseUrl };
