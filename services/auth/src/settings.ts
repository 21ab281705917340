import { baseSettings, rpcSettings, setting, type Values } from '@cadastre/service';

/** The settings of the auth service. */
export const authSettings = {
  ...baseSettings,
  ...rpcSettings,
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
    doc: 'For trials: an account may be made when a key is made for it; here, where there is no identity provider.',
    default: false,
  }),
  oidcIssuer: setting.url({
    name: 'CADASTRE_OIDC_ISSUER',
    doc: 'Issuer URL of the identity provider (OpenID Connect); without it there is neither sign-in nor bearer token.',
    optional: true,
  }),
  oidcClientId: setting.text({
    name: 'CADASTRE_OIDC_CLIENT_ID',
    doc: 'Client identifier of the web application at the identity provider; without it there is no sign-in.',
    optional: true,
  }),
  oidcClientSecret: setting.secret({
    name: 'CADASTRE_OIDC_CLIENT_SECRET',
    doc: 'Secret of that client; without it the client is a public one. PKCE is used in any case.',
    optional: true,
  }),
  oidcRedirectUrl: setting.url({
    name: 'CADASTRE_OIDC_REDIRECT_URL',
    doc: 'Where the identity provider sends the browser after sign-in; without it there is no sign-in.',
    optional: true,
  }),
  oidcAudience: setting.text({
    name: 'CADASTRE_OIDC_AUDIENCE',
    doc: 'The audience that bearer tokens must have, one for each environment; without it none is accepted.',
    optional: true,
  }),
  oidcRequiredScope: setting.text({
    name: 'CADASTRE_OIDC_REQUIRED_SCOPE',
    doc: 'A scope that bearer tokens must have ("scope" claim); unless set, the audience alone decides.',
    optional: true,
  }),
  oidcTimeoutMs: setting.duration({
    name: 'CADASTRE_OIDC_TIMEOUT',
    doc: 'How long the identity provider may take to answer each request of a sign-in.',
    default: '5s',
  }),
  sessionLifetimeMs: setting.duration({
    name: 'CADASTRE_SESSION_LIFETIME',
    doc: 'How long a session lasts at most.',
    default: '12h',
  }),
  sessionIdleMs: setting.duration({
    name: 'CADASTRE_SESSION_IDLE',
    doc: 'How long a session lasts without being used (its use is noted to the minute).',
    default: '1h',
  }),
};

export type AuthSettings = Values<typeof authSettings>;
