import type { Account } from '../domain/account.js';

/** The secrets of one sign-in; only this service and the browser's cookie know where they come from. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** PKCE (RFC 7636). */
  codeVerifier: string;
}

/** What the identity provider sent along with the browser. */
export interface Callback {
  code: string;
  state: string;
  /** "iss" (RFC 9207), empty if absent. */
  issuer: string;
}

/** Where people sign in. Every method throws a ServiceError "unavailable" when it does not answer. */
export interface IdentityProvider {
  /** Where to send the browser; `undefined` when sign-in is not configured. */
  authorizationUrl(secrets: SignInSecrets): Promise<string | undefined>;
  /** Who signed in; throws a ServiceError "unauthenticated" when the code or what it gives is not good. */
  redeem(callback: Callback, secrets: SignInSecrets): Promise<Account>;
  /** The subject of a good bearer token; `undefined` for any other. */
  subjectOf(bearerToken: string): Promise<string | undefined>;
}
