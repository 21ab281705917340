import * as oidc from 'openid-client';
import { type Account, isAccountId, isAccountName } from '../domain/accounts.js';
import type { SignInSecrets } from '../domain/sessions.js';

/** The query parameters with which the browser returns from the identity provider. */
export interface Callback {
  code: string;
  state: string;
  /** "iss" (RFC 9207), empty if absent. */
  issuer: string;
}

/** The URL at the identity provider where a sign-in begins. */
export async function authorizationUrl(
  configuration: oidc.Configuration,
  redirectUrl: string,
  { state, nonce, codeVerifier }: SignInSecrets,
): Promise<string> {
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUrl,
    response_type: 'code',
    scope: 'openid email',
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
  return url.href;
}

/**
 * Redeems the code and returns the account that signed in. Throws when the code, the tokens or the e-mail address are
 * invalid.
 */
export async function redeemCode(
  configuration: oidc.Configuration,
  redirectUrl: string,
  { code, state, issuer }: Callback,
  secrets: SignInSecrets,
): Promise<Account> {
  const url = new URL(redirectUrl);
  url.search = new URLSearchParams({ code, state, ...(issuer ? { iss: issuer } : {}) }).toString();
  const tokens = await oidc.authorizationCodeGrant(configuration, url, {
    pkceCodeVerifier: secrets.codeVerifier,
    expectedState: secrets.state,
    expectedNonce: secrets.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims()!;
  const person = claims.email ? claims : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
  return accountOf(claims.sub, person);
}

/** The name determines the access by "auth: SSO", so it must be a verified address. */
function accountOf(id: string, { email, email_verified }: Record<string, unknown>): Account {
  if (typeof email !== 'string' || !isAccountName(email) || email_verified !== true || !isAccountId(id)) {
    throw new Error('the identity provider returned no verified e-mail address');
  }
  return { id, name: email };
}
