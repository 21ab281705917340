import { type Logger, ServiceError } from '@cadastre/service';
import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { type Account, isAccountId, isAccountName } from '../domain/account.js';
import { messages } from '../domain/messages.js';
import type { Callback, IdentityProvider, SignInSecrets } from './identity-provider.js';
import { isOutage } from './outage.js';

export interface OpenIdConnectOptions {
  issuer: string;
  /** Without client identifier and redirect URL there is no sign-in. */
  clientId: string | undefined;
  /** A client without secret is a public one. */
  clientSecret: string | undefined;
  redirectUrl: string | undefined;
  /** What bearer tokens must be meant for; without it none is good. */
  audience: string | undefined;
  /** What bearer tokens must be allowed to do; without it that is not asked. */
  requiredScope: string | undefined;
  timeoutMs: number;
  /** Plain HTTP, for trials and tests. */
  allowHttp: boolean;
  now: () => Date;
  logger: Logger;
}

/** Asymmetric algorithms only: a shared secret would let every holder of it make tokens. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const clockToleranceSeconds = 60;
const maxTokenLength = 16_384;
/** How long signing keys are used without being fetched again; an unknown key is looked for at once. */
const keysMaxAgeMs = 7_200_000;

interface Discovered {
  configuration: oidc.Configuration;
  keys: JWTVerifyGetKey;
}

/** An identity provider that speaks OpenID Connect. It is discovered at first need, and again until that succeeds. */
export function openIdConnect(o: OpenIdConnectOptions): IdentityProvider {
  let known: Promise<Discovered> | undefined;
  const discovered = () => {
    known ??= discover(o).catch((error: unknown) => {
      known = undefined;
      throw unavailable(o, error);
    });
    return known;
  };
  return {
    authorizationUrl: async (secrets) =>
      o.clientId && o.redirectUrl
        ? authorizationUrl((await discovered()).configuration, o.redirectUrl, secrets)
        : undefined,
    async redeem(callback, secrets) {
      const { configuration } = await discovered();
      return redeem(o, configuration, callback, secrets).catch((error: unknown) => {
        throw isOutage(error) ? unavailable(o, error) : refused(o, error);
      });
    },
    subjectOf: async (token) =>
      o.audience !== undefined && token.length <= maxTokenLength
        ? subjectOf(o, o.audience, token, discovered)
        : undefined,
  };
}

async function discover(o: OpenIdConnectOptions): Promise<Discovered> {
  const authentication = o.clientSecret ? oidc.ClientSecretBasic(o.clientSecret) : oidc.None();
  const insecure = o.allowHttp ? [oidc.allowInsecureRequests] : [];
  const configuration = await oidc.discovery(new URL(o.issuer), o.clientId ?? 'none', undefined, authentication, {
    timeout: o.timeoutMs / 1000,
    execute: [oidc.enableNonRepudiationChecks, ...insecure],
  });
  const { jwks_uri } = configuration.serverMetadata();
  if (!jwks_uri) throw new Error('the identity provider names no keys');
  const keys = createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: o.timeoutMs, cacheMaxAge: keysMaxAgeMs });
  return { configuration, keys };
}

async function authorizationUrl(
  configuration: oidc.Configuration,
  redirectUrl: string,
  secrets: SignInSecrets,
): Promise<string> {
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUrl,
    response_type: 'code',
    scope: 'openid email',
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(secrets.codeVerifier),
    code_challenge_method: 'S256',
  });
  return url.href;
}

async function redeem(
  o: OpenIdConnectOptions,
  configuration: oidc.Configuration,
  { code, state, issuer }: Callback,
  secrets: SignInSecrets,
): Promise<Account> {
  const url = new URL(o.redirectUrl ?? '');
  url.search = new URLSearchParams({ code, state, ...(issuer ? { iss: issuer } : {}) }).toString();
  const tokens = await oidc.authorizationCodeGrant(configuration, url, {
    pkceCodeVerifier: secrets.codeVerifier,
    expectedState: secrets.state,
    expectedNonce: secrets.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims()!;
  const told = claims.email ? claims : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
  return accountOf(claims.sub, told);
}

/** Names decide about "auth: SSO name", so an address that nobody verified is none. */
function accountOf(id: string, { email, email_verified }: Record<string, unknown>): Account {
  if (typeof email !== 'string' || !isAccountName(email) || email_verified !== true || !isAccountId(id)) {
    throw new Error('the identity provider tells no verified e-mail address');
  }
  return { id, name: email };
}

async function subjectOf(
  o: OpenIdConnectOptions,
  audience: string,
  token: string,
  discovered: () => Promise<Discovered>,
): Promise<string | undefined> {
  // What is no token at all is not worth a question to the identity provider.
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return undefined;
  const { configuration, keys } = await discovered();
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: configuration.serverMetadata().issuer,
      audience,
      algorithms,
      currentDate: o.now(),
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['sub', 'exp', 'iat'],
    });
    const inPast = payload.iat! <= o.now().getTime() / 1000 + clockToleranceSeconds;
    const isGood = inPast && isAccountId(payload.sub!) && hasScope(payload, o.requiredScope);
    return isGood ? payload.sub : undefined;
  } catch (error) {
    if (isOutage(error)) throw unavailable(o, error);
    o.logger.info({ reason: reasonOf(error) }, 'a bearer token was rejected');
    return undefined;
  }
}

/** Scopes stand between spaces (RFC 9068, section 2.2.3). */
function hasScope({ scope }: Record<string, unknown>, required: string | undefined): boolean {
  return required === undefined || (typeof scope === 'string' && scope.split(' ').includes(required));
}

function unavailable({ logger }: OpenIdConnectOptions, error: unknown): ServiceError {
  logger.warn({ reason: reasonOf(error) }, 'the identity provider does not answer');
  return new ServiceError('unavailable', [messages.identityProviderAway()]);
}

function refused({ logger }: OpenIdConnectOptions, error: unknown): ServiceError {
  logger.warn({ reason: reasonOf(error) }, 'a sign-in failed');
  return new ServiceError('unauthenticated', [messages.signInFailed()]);
}

/** The message alone: causes hold tokens and claims. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
