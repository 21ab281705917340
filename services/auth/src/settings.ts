import { baseSettings, databaseSettings, rpcSettings, setting, type Values } from '@cadastre/service';

/** The settings of the auth service. */
export const authSettings = {
  ...baseSettings,
  ...rpcSettings,
  ...databaseSettings,
  databaseUrl: setting.databaseUrl({ name: 'CADASTRE_AUTH_DATABASE_URL', doc: 'URL of the PostgreSQL database.' }),
  directoryUrl: setting.url({
    name: 'CADASTRE_DIRECTORY_URL',
    doc: 'Base URL of the SCIM 2.0 interface of the identity provider; default: none, only accounts seen before are known.',
    optional: true,
  }),
  directoryToken: setting.secret({
    name: 'CADASTRE_DIRECTORY_TOKEN',
    doc: 'Bearer token for the SCIM interface.',
    optional: true,
  }),
  directoryCreatesAccounts: setting.flag({
    name: 'CADASTRE_DIRECTORY_CREATES_ACCOUNTS',
    doc: 'For trials: creating a key may create its account, in the directory or, without one, in this service.',
    default: false,
  }),
  oidcIssuer: setting.url({
    name: 'CADASTRE_OIDC_ISSUER',
    doc: 'Issuer URL of the identity provider (OpenID Connect); default: none, no sign-in and no bearer tokens.',
    optional: true,
  }),
  oidcClientId: setting.text({
    name: 'CADASTRE_OIDC_CLIENT_ID',
    doc: 'Client identifier of the web application at the identity provider; default: none, no sign-in.',
    optional: true,
  }),
  oidcClientSecret: setting.secret({
    name: 'CADASTRE_OIDC_CLIENT_SECRET',
    doc: 'Secret of that client; default: none, a public client. Sign-in always uses PKCE.',
    optional: true,
  }),
  oidcRedirectUrl: setting.url({
    name: 'CADASTRE_OIDC_REDIRECT_URL',
    doc: 'URL to which the identity provider redirects the browser after sign-in; default: none, no sign-in.',
    optional: true,
  }),
  oidcAudience: setting.text({
    name: 'CADASTRE_OIDC_AUDIENCE',
    doc: 'Required audience of bearer tokens, one for each environment; default: none, no bearer token is accepted.',
    optional: true,
  }),
  oidcRequiredScope: setting.text({
    name: 'CADASTRE_OIDC_REQUIRED_SCOPE',
    doc: 'Required scope of bearer tokens ("scope" claim); default: none, the audience alone decides.',
    optional: true,
  }),
  sessionLifetimeMs: setting.duration({
    name: 'CADASTRE_SESSION_LIFETIME',
    doc: 'Maximum duration of a session.',
    default: '12h',
  }),
  sessionIdleMs: setting.duration({
    name: 'CADASTRE_SESSION_IDLE',
    doc: 'Time after which an unused session ends, to the minute.',
    default: '1h',
  }),
};

/** The settings of `main.js migrate`. */
export const migrationSettings = {
  ...databaseSettings,
  logLevel: baseSettings.logLevel,
  databaseUrl: authSettings.databaseUrl,
};

/** The values of these settings. */
export type AuthSettings = Values<typeof authSettings>;
