import { baseSettings, setting, type Values } from '@cadastre/service';

/** The settings of the auth service. */
export const authSettings = {
  ...baseSettings,
  listen: setting.address({
    name: 'CADASTRE_AUTH_LISTEN',
    doc: 'Address of the gRPC interface.',
    default: '127.0.0.1:50052',
  }),
  operations: setting.address({
    name: 'CADASTRE_AUTH_OPERATIONS',
    doc: 'Address of the plain HTTP port with /live, /ready and /metrics.',
    optional: true,
  }),
  databaseUrl: setting.secret({ name: 'CADASTRE_AUTH_DATABASE_URL', doc: 'URL of the PostgreSQL database.' }),
  databaseConnections: setting.integer({
    name: 'CADASTRE_AUTH_DATABASE_CONNECTIONS',
    doc: 'Most connections to the database.',
    default: 5,
    min: 1,
    max: 100,
  }),
  operators: setting.list({
    name: 'CADASTRE_OPERATORS',
    doc: "Common names of the certificates of the operator's own systems, which may call every method.",
    default: ['operator'],
  }),
  directoryUrl: setting.url({
    name: 'CADASTRE_DIRECTORY_URL',
    doc: 'Base URL of the SCIM 2.0 interface of the identity provider; without it, only accounts seen before are known.',
    optional: true,
  }),
  directoryToken: setting.secret({
    name: 'CADASTRE_DIRECTORY_TOKEN',
    doc: 'Bearer token for the SCIM interface.',
    optional: true,
  }),
  directoryTimeoutMs: setting.duration({
    name: 'CADASTRE_DIRECTORY_TIMEOUT',
    doc: 'How long the identity provider may take to answer.',
    default: '3s',
  }),
  directoryCreatesAccounts: setting.flag({
    name: 'CADASTRE_DIRECTORY_CREATES_ACCOUNTS',
    doc: 'Whether accounts may be made at the identity provider when a key is made for them (trial start only).',
    default: false,
  }),
};

export type AuthSettings = Values<typeof authSettings>;
