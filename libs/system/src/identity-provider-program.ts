import { baseSettings, defineProgram, setting } from '@cadastre/service';
import { createIdentityProvider } from './identity-provider.js';

const settings = {
  ...baseSettings,
  dataFile: setting.text({ name: 'CADASTRE_IDENTITY_PROVIDER_DATA_FILE', doc: 'File with accounts and keys.' }),
  port: setting.port({ name: 'CADASTRE_IDENTITY_PROVIDER_PORT', doc: 'Port on 127.0.0.1.' }),
  issuer: setting.url({ name: 'CADASTRE_IDENTITY_PROVIDER_ISSUER', doc: 'URL of this identity provider.' }),
  scimToken: setting.secret({
    name: 'CADASTRE_IDENTITY_PROVIDER_SCIM_TOKEN',
    doc: 'Bearer token for the SCIM interface.',
  }),
  webUrl: setting.url({
    name: 'CADASTRE_BASE_URL',
    doc: 'URL of the web application.',
    default: 'https://localhost:8443',
  }),
};

/** The identity provider as a program. */
export const program = defineProgram('identity-provider', settings, async (values, logger) =>
  createIdentityProvider({ ...values, logger }),
);
