import { type Logger, ServiceError } from '@cadastre/service';
import { createRemoteJWKSet, type JWTVerifyGetKey, errors as joseErrors } from 'jose';
import * as oidc from 'openid-client';
import type { Account } from '../domain/accounts.js';
import { messages } from '../domain/messages.js';
import type { SignInSecrets } from '../domain/sessions.js';
import { isJwt, verifyBearerToken } from './bearer-token.js';
import { authorizationUrl, type Callback, redeemCode } from './sign-in.js';

/** The service where people sign in. Every method throws a ServiceError "unavailable" when it does not answer. */
export interface IdentityProvider {
  /** Where to send the browser; `undefined` when sign-in is not configured. */
  authorizationUrl(secrets: SignInSecrets): Promise<string | undefined>;
  /** Where the browser signs out; empty without such a place, also while it does not answer. Throws nothing. */
  signOutUrl(): Promise<string>;
  /** The account that signed in. Throws a ServiceError "unauthenticated" when the sign-in failed. */
  redeem(callback: Callback, secrets: SignInSecrets): Promise<Account>;
  /** The subject of a valid bearer token; `undefined` for any other. */
  subjectOf(bearerToken: string): Promise<string | undefined>;
}

/** Replaces an identity provider that is not configured. */
export const noIdentityProvider: IdentityProvider = {
  authorizationUrl: async () => undefined,
  signOutUrl: async () => '',
  redeem: () => Promise.reject(new ServiceError('unimplemented', [messages.noSignIn()])),
  subjectOf: async () => undefined,
};

interface OpenIdConnectOptions {
  issuer: string;
  /** Without client ID and redirect URL there is no sign-in. */
  clientId: string | undefined;
  /** A client without secret is a public one. */
  clientSecret: string | undefined;
  redirectUrl: string | undefined;
  /** The audience of bearer tokens; without it none is valid. */
  audience: string | undefined;
  /** The scope that bearer tokens need; without it they need none. */
  requiredScope: string | undefined;
  timeoutMs: number;
  /** Allow plain HTTP, for trials and tests. */
  allowHttp: boolean;
  now: () => Date;
  logger: Logger;
}

/** Maximum concurrent redemptions of codes; further ones are refused, because anyone can send a code. */
const maxRedeeming = 16;
/** When to fetch the signing keys again; an unknown key causes an immediate fetch. */
const keysMaxAgeMs = 7_200_000;

interface Discovered {
  configuration: oidc.Configuration;
  keys: JWTVerifyGetKey;
}

/** An identity provider that speaks OpenID Connect. Discovery runs when first needed, and again until it succeeds. */
export function openIdConnect(o: OpenIdConnectOptions): IdentityProvider {
  const { clientId, redirectUrl, audience } = o;
  let known: Promise<Discovered> | undefined;
  const discovered = () => {
    known ??= discover(o).catch((error: unknown) => {
      known = undefined;
      throw unavailable(o, error);
    });
    return known;
  };
  let redeeming = 0;
  return {
    async authorizationUrl(secrets) {
      if (!clientId || !redirectUrl) return undefined;
      const { configuration } = await discovered();
      return authorizationUrl(configuration, redirectUrl, secrets);
    },
    async signOutUrl() {
      if (!clientId || !redirectUrl) return '';
      const found = await discovered().catch(() => undefined);
      if (!found?.configuration.serverMetadata().end_session_endpoint) return '';
      const home = new URL(redirectUrl.replace(/session\/callback$/, '')).href;
      return oidc.buildEndSessionUrl(found.configuration, { post_logout_redirect_uri: home }).href;
    },
    async redeem(callback, secrets) {
      if (!clientId || !redirectUrl) return noIdentityProvider.redeem(callback, secrets);
      if (redeeming >= maxRedeeming) throw new ServiceError('unavailable', [messages.manySignIns()]);
      redeeming++;
      try {
        const { configuration } = await discovered();
        return await redeemCode(configuration, redirectUrl, callback, secrets).catch((error: unknown) => {
          throw isOutage(error) ? unavailable(o, error) : signInFailed(o, error);
        });
      } finally {
        redeeming--;
      }
    },
    async subjectOf(token) {
      if (audience === undefined || !isJwt(token)) return undefined;
      const { configuration, keys } = await discovered();
      const rules = { issuer: configuration.serverMetadata().issuer, audience, scope: o.requiredScope };
      return verifyBearerToken(token, keys, rules, o.now()).catch((error: unknown) => {
        if (isOutage(error)) throw unavailable(o, error);
        o.logger.info({ reason: reasonOf(error) }, 'bearer token rejected');
        return undefined;
      });
    },
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
  if (!jwks_uri) throw new Error('the identity provider publishes no keys');
  const keys = createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: o.timeoutMs, cacheMaxAge: keysMaxAgeMs });
  return { configuration, keys };
}

const outageCodes = new Set<string | undefined>([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);

/** Whether the identity provider failed to answer, as opposed to refusing. */
function isOutage(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500;
  if (error instanceof oidc.ClientError) return outageCodes.has(error.code) || isFailedFetch(error.cause);
  if (error instanceof joseErrors.JOSEError) return ['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC'].includes(error.code);
  return isFailedFetch(error);
}

function isFailedFetch(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'fetch failed';
}

function unavailable({ logger }: OpenIdConnectOptions, error: unknown): ServiceError {
  logger.warn({ reason: reasonOf(error) }, 'identity provider does not answer');
  return new ServiceError('unavailable', [messages.identityProviderAway()]);
}

function signInFailed({ logger }: OpenIdConnectOptions, error: unknown): ServiceError {
  logger.warn({ reason: reasonOf(error) }, 'sign-in failed');
  return new ServiceError('unauthenticated', [messages.signInFailed()]);
}

/** Only the message: causes contain tokens and claims. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
