import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Logger, Service } from '@cadastre/service';
import { type Configuration, type JWKS, Provider } from 'oidc-provider';
import { type IdentityAccount, type IdentityAccounts, openIdentityAccounts } from './identity-accounts.js';
import { restAudience, webClientId } from './identity-client.js';
import { scimHandler } from './identity-scim.js';
import { grantWithoutAsking, signInHandler, signInPath, signOutPage } from './identity-sign-in.js';

export interface IdentityProviderOptions {
  /** File of accounts and keys; the first start creates it with alice, bob and carol@example.net. */
  dataFile: string;
  /** Port on 127.0.0.1. */
  port: number;
  /** Its URL for clients. */
  issuer: string;
  /** Bearer token of the SCIM interface. */
  scimToken: string;
  logger: Logger;
  /** URL of the web application; sign-in redirects to /session/callback there. */
  webUrl?: string;
}

/**
 * The identity provider of `make run`, for trials and tests only: OpenID Connect, where anyone may sign in as any
 * account, and a part of SCIM 2.0 below /scim/v2.
 */
export function createIdentityProvider(o: IdentityProviderOptions): Service {
  const accounts = openIdentityAccounts(o.dataFile);
  const provider = new Provider(o.issuer, configuration(accounts, o.webUrl ?? 'https://localhost:8443'));
  provider.on('server_error', (_ctx, error) => o.logger.error({ err: error }, 'sign-in failed'));
  const oidc = provider.callback();
  const scim = scimHandler(accounts, o.scimToken);
  const signIn = signInHandler(provider, accounts);
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    const handler = url.startsWith('/scim/') ? scim : url.startsWith(`${signInPath}/`) ? signIn : oidc;
    handler(request, response).catch((error: unknown) => {
      o.logger.error({ err: error }, 'request failed');
      response.destroy();
    });
  });
  return {
    start: async () => void (await once(server.listen(o.port, '127.0.0.1'), 'listening')),
    async stop() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}

function configuration(accounts: IdentityAccounts, webUrl: string): Configuration {
  return {
    clients: [
      {
        client_id: webClientId,
        token_endpoint_auth_method: 'none',
        redirect_uris: [new URL('/session/callback', webUrl).href],
        post_logout_redirect_uris: [new URL('/', webUrl).href],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    conformIdTokenClaims: false,
    cookies: { keys: accounts.cookieKeys },
    jwks: { keys: accounts.signingKeys } as JWKS,
    ttl: { AccessToken: 3600, IdToken: 3600, Interaction: 3600, Grant: 86_400, RefreshToken: 86_400, Session: 86_400 },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: accessTokensForRest(),
      rpInitiatedLogout: {
        logoutSource: (ctx, form) => {
          ctx.body = signOutPage(form);
        },
      },
    },
    interactions: { url: (_ctx, interaction) => `${signInPath}/${interaction.uid}` },
    loadExistingGrant: grantWithoutAsking,
    findAccount: (_ctx, id) => {
      const account = accounts.find(id);
      return account && account.active !== false ? { accountId: id, claims: () => claimsOf(account) } : undefined;
    },
  };
}

/** Access tokens are JWTs for the REST interface, whatever resource the client requests. */
function accessTokensForRest(): NonNullable<Configuration['features']>['resourceIndicators'] {
  return {
    enabled: true,
    defaultResource: () => restAudience,
    useGrantedResource: () => true,
    getResourceServerInfo: () => ({
      scope: '',
      audience: restAudience,
      accessTokenFormat: 'jwt',
      jwt: { sign: { alg: 'RS256' } },
    }),
  };
}

function claimsOf({ id, userName }: IdentityAccount) {
  return { sub: id, email: userName, email_verified: true, name: userName, preferred_username: userName };
}
