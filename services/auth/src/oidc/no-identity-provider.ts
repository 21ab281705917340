import type { IdentityProvider } from './identity-provider.js';

/** Stands in where none is configured: nobody signs in, no bearer token is good. */
export const noIdentityProvider: IdentityProvider = {
  authorizationUrl: async () => undefined,
  redeem: () => Promise.reject(new Error('no sign-in was begun')),
  subjectOf: async () => undefined,
};
