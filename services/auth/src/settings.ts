import { baseSettings, rpcSettings, setting, storeCaSettings, type Values } from '@cadastre/service';

/** The settings of the auth service. */
export const authSettings = {
  ...baseSettings,
  ...rpcSettings,
  ...storeCaSettings,
  databaseUrl: setting.databaseUrl({ name: 'CADASTRE_DATABASE_URL', doc: 'URL of the PostgreSQL database.' }),
  directoryUrl: setting.baseUrl({
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
  baseUrl: setting.baseUrl({
    name: 'CADASTRE_BASE_URL',
    doc: 'Public URL of the gateway: after sign-in the identity provider redirects the browser to /session/callback there, after sign-out to the URL with a final slash (register both there); default: none, no sign-in.',
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
  sessionEnds: setting.durations({
    name: 'CADASTRE_SESSION_ENDS',
    doc: 'Maximum duration of a session, and time after which an unused one ends, to the minute.',
    defaults: { lifetime: '12h', idle: '1h' },
  }),
};

/** The settings of `main.js migrate`. */
export const migrationSettings = {
  ...storeCaSettings,
  logLevel: baseSettings.logLevel,
  databaseUrl: authSettings.databaseUrl,
};

/** The values of these settings. */
export type AuthSettings = Values<typeof authSettings>;
