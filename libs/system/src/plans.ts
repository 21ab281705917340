import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { restAudience, webClientId } from './identity-provider.js';
import type { ServicePlan } from './keep-service.js';
import type { DatabaseOwner } from './prepare-database.js';
import { httpCheck, readyChecks } from './ready.js';
import type { DataPaths, RunSettings } from './run-settings.js';

/** The one source of a system started by `make run`. */
export const sampleSource = 'TEST';

/** The mntner among the samples that is the operator of a trial. */
const sampleOperator = 'EXAMPLE-MNT';

/** What the services need to know about each other and about this machine. */
export interface Wiring {
  settings: RunSettings;
  paths: DataPaths;
  /** Private directory for the sockets. */
  socketDirectory: string;
  databases: Record<DatabaseOwner, string>;
  identityProvider: { url: string; port: number; scimUrl: string; tokenFile: string };
  httpPort: number;
  httpsPort: number;
  certPort: number;
}

type GrpcService = 'objects' | 'auth' | 'search' | 'geo';

/** Where the built services are; each is run by the main.js beside its entry. */
const entries = {
  objects: import.meta.resolve('@cadastre/objects'),
  auth: import.meta.resolve('@cadastre/auth'),
  search: import.meta.resolve('@cadastre/search'),
  geo: import.meta.resolve('@cadastre/geo'),
  gateway: import.meta.resolve('@cadastre/gateway'),
};

/** The web interface, if it was built. */
const builtPages = fileURLToPath(new URL('../../../web/dist', import.meta.url));

function mainOf(service: keyof typeof entries): string {
  return fileURLToPath(new URL('main.js', entries[service]));
}

/** The migrations of a service that has a database. */
export function migrationsOf(service: DatabaseOwner): URL {
  return new URL('../migrations/', entries[service]);
}

/** gRPC address of a service. */
export function grpcAddress(wiring: Pick<Wiring, 'socketDirectory'>, service: GrpcService): string {
  return `unix:${join(wiring.socketDirectory, `${service}.sock`)}`;
}

/** Variables of the caller's environment that a service sees: those of ours, and what any program needs. */
function inherited(): Record<string, string | undefined> {
  const ours = Object.entries(process.env).filter(([name]) => /^(CADASTRE_(?!TLS_)|OTEL_)/.test(name));
  return { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR, ...Object.fromEntries(ours) };
}

function environment(wiring: Wiring): Record<string, string | undefined> {
  return {
    ...inherited(),
    CADASTRE_ENVIRONMENT: 'test',
    CADASTRE_SOURCE: sampleSource,
    CADASTRE_LOG_LEVEL: wiring.settings.logLevel,
    CADASTRE_OBJECTS_ADDRESS: grpcAddress(wiring, 'objects'),
    CADASTRE_AUTH_ADDRESS: grpcAddress(wiring, 'auth'),
    CADASTRE_SEARCH_ADDRESS: grpcAddress(wiring, 'search'),
    CADASTRE_GEO_ADDRESS: grpcAddress(wiring, 'geo'),
  };
}

function grpcService(
  wiring: Wiring,
  name: GrpcService,
  memory: { heapMb: number; youngMb?: number },
  own: Record<string, string> = {},
): ServicePlan {
  const listen = { [`CADASTRE_${name.toUpperCase()}_LISTEN`]: grpcAddress(wiring, name) };
  const program = { file: mainOf(name), env: { ...environment(wiring), ...listen, ...own }, ...memory };
  return { name, program, ready: readyChecks[name](grpcAddress(wiring, name)) };
}

/** The truth. */
export function objectsPlan(wiring: Wiring): ServicePlan {
  const operators = process.env.CADASTRE_POLICY_OPERATOR_MAINTAINERS ?? sampleOperator;
  const own = {
    CADASTRE_OBJECTS_DATABASE_URL: wiring.databases.objects,
    CADASTRE_POLICY_OPERATOR_MAINTAINERS: operators,
  };
  return grpcService(wiring, 'objects', { heapMb: 1024, youngMb: 32 }, own);
}

/** Who is calling; accounts come from the local identity provider. */
export function authPlan(wiring: Wiring): ServicePlan {
  return grpcService(
    wiring,
    'auth',
    { heapMb: 192 },
    {
      CADASTRE_AUTH_DATABASE_URL: wiring.databases.auth,
      CADASTRE_DIRECTORY_URL: wiring.identityProvider.scimUrl,
      CADASTRE_DIRECTORY_TOKEN_FILE: wiring.identityProvider.tokenFile,
      CADASTRE_DIRECTORY_CREATES_ACCOUNTS: 'true',
      CADASTRE_OIDC_ISSUER: wiring.identityProvider.url,
      CADASTRE_OIDC_CLIENT_ID: webClientId,
      CADASTRE_OIDC_AUDIENCE: restAudience,
      CADASTRE_OIDC_REDIRECT_URL: `https://localhost:${wiring.httpsPort}/session/callback`,
    },
  );
}

/** Queries. */
export function searchPlan(wiring: Wiring): ServicePlan {
  const own = { CADASTRE_SEARCH_DATABASE_URL: wiring.databases.search };
  return grpcService(wiring, 'search', { heapMb: 512 }, own);
}

/** Geolocation and abuse contacts. */
export function geoPlan(wiring: Wiring): ServicePlan {
  return grpcService(wiring, 'geo', { heapMb: 192 });
}

/** The public REST interface. */
export function gatewayPlan(wiring: Wiring): ServicePlan {
  const address = wiring.settings.bindAddress ?? '127.0.0.1';
  const host = address.includes(':') ? `[${address}]` : address;
  const own = {
    ...(existsSync(builtPages) ? { CADASTRE_WEB_DIR: builtPages } : {}),
    CADASTRE_DATA_DIR: wiring.paths.tls,
    CADASTRE_GATEWAY_DRAIN: '0s', // There is no other gateway to go to.
    CADASTRE_HTTP_PORT: String(wiring.httpPort),
    CADASTRE_HTTPS_PORT: String(wiring.httpsPort),
    CADASTRE_CERT_PORT: String(wiring.certPort),
  };
  const program = {
    file: mainOf('gateway'),
    env: { ...environment(wiring), ...own },
    heapMb: 768,
    youngMb: 32,
  };
  return { name: 'gateway', program, ready: httpCheck(`http://${host}:${wiring.httpPort}/metadata/sources`) };
}

/** Accounts and sign-in, in place of the identity provider of a real deployment. */
export function identityProviderPlan(wiring: Wiring): ServicePlan {
  const { url, port, tokenFile } = wiring.identityProvider;
  const program = {
    file: fileURLToPath(new URL('identity-provider-main.js', import.meta.url)),
    env: {
      ...environment(wiring),
      CADASTRE_BASE_URL: `https://localhost:${wiring.httpsPort}`,
      CADASTRE_IDENTITY_PROVIDER_PORT: String(port),
      CADASTRE_IDENTITY_PROVIDER_ISSUER: url,
      CADASTRE_IDENTITY_PROVIDER_DATA_FILE: wiring.paths.accounts,
      CADASTRE_IDENTITY_PROVIDER_SCIM_TOKEN_FILE: tokenFile,
    },
    heapMb: 192,
  };
  return { name: 'identity-provider', program, ready: httpCheck(`${url}/.well-known/openid-configuration`) };
}
