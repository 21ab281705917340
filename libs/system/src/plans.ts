import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { restAudience, webClientId } from './identity-client.js';
import type { ServicePlan } from './keep-service.js';
import type { DatabaseOwner } from './prepare-database.js';
import { httpCheck, readyChecks } from './ready.js';
import type { DataPaths, ProgramName, RunSettings } from './run-settings.js';
import { sampleOperator } from './sample-registry.js';

/** The addresses of the services and of this machine that all services need. */
export interface Addressing {
  settings: RunSettings;
  paths: DataPaths;
  /** Private directory for the sockets. */
  socketDirectory: string;
  identityProvider: { url: string; port: number; scimUrl: string; tokenFile: string };
  httpPort: number;
  httpsPort: number;
  certPort: number;
  whoisPort: number;
}

/** Also their databases, whose server is running. */
export interface Wiring extends Addressing {
  databases: Record<DatabaseOwner, string>;
}

type GrpcService = 'objects' | 'auth' | 'search' | 'events' | 'whois' | 'mirror';

/** The entry points of the built services; main.js beside each runs it. */
const entries = {
  objects: import.meta.resolve('@cadastre/objects'),
  auth: import.meta.resolve('@cadastre/auth'),
  search: import.meta.resolve('@cadastre/search'),
  events: import.meta.resolve('@cadastre/events'),
  whois: import.meta.resolve('@cadastre/whois'),
  mirror: import.meta.resolve('@cadastre/mirror'),
  gateway: import.meta.resolve('@cadastre/gateway'),
};

/** The built web interface, if there is one. */
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

/** The caller's environment for a service: our variables, and those that any program needs. */
function inherited(): Record<string, string | undefined> {
  const ours = Object.entries(process.env).filter(([name]) => /^(CADASTRE_(?!TLS_)|OTEL_)/.test(name));
  const { PATH, HOME, TMPDIR, NODE_OPTIONS, NODE_EXTRA_CA_CERTS } = process.env;
  return { PATH, HOME, TMPDIR, NODE_OPTIONS, NODE_EXTRA_CA_CERTS, ...Object.fromEntries(ours) };
}

/** The environment of all services. */
export function environment(wiring: Addressing): Record<string, string | undefined> {
  return {
    CADASTRE_OPERATOR_MAINTAINERS: sampleOperator,
    ...inherited(),
    CADASTRE_ENVIRONMENT: wiring.settings.environment,
    CADASTRE_SOURCE: wiring.settings.source,
    CADASTRE_OPERATIONS: undefined,
    CADASTRE_LOG_LEVEL: wiring.settings.logLevel,
    CADASTRE_OBJECTS_ADDRESS: grpcAddress(wiring, 'objects'),
    CADASTRE_AUTH_ADDRESS: grpcAddress(wiring, 'auth'),
    CADASTRE_SEARCH_ADDRESS: grpcAddress(wiring, 'search'),
    CADASTRE_WHOIS_ADDRESS: grpcAddress(wiring, 'whois'),
    CADASTRE_MIRROR_ADDRESS: runsMirror(wiring.settings) ? grpcAddress(wiring, 'mirror') : undefined,
  };
}

function flagsOf({ settings }: Wiring, name: ProgramName): readonly string[] {
  return settings.nodeFlags.get(name) ?? [];
}

function grpcService(
  wiring: Wiring,
  name: GrpcService,
  memory: { heapMb: number; youngMb?: number },
  own: Record<string, string> = {},
): ServicePlan {
  const env = { ...environment(wiring), CADASTRE_LISTEN: grpcAddress(wiring, name), ...own };
  const program = { file: mainOf(name), env, flags: flagsOf(wiring, name), ...memory };
  return { name, program, ready: readyChecks[name](grpcAddress(wiring, name)) };
}

export function objectsPlan(wiring: Wiring): ServicePlan {
  const own = {
    CADASTRE_DATABASE_URL: wiring.databases.objects,
    CADASTRE_OBJECTS_NOTIFICATIONS: process.env.CADASTRE_OBJECTS_NOTIFICATIONS ?? 'true',
    CADASTRE_OBJECTS_WEBHOOK_KEY_FILE: wiring.paths.webhookKey,
  };
  return grpcService(wiring, 'objects', { heapMb: 1024, youngMb: 32 }, own);
}

/** The auth service; accounts come from the local identity provider. */
export function authPlan(wiring: Wiring): ServicePlan {
  return grpcService(
    wiring,
    'auth',
    { heapMb: 192 },
    {
      CADASTRE_DATABASE_URL: wiring.databases.auth,
      CADASTRE_DIRECTORY_URL: wiring.identityProvider.scimUrl,
      CADASTRE_DIRECTORY_TOKEN_FILE: wiring.identityProvider.tokenFile,
      CADASTRE_DIRECTORY_CREATES_ACCOUNTS: 'true',
      CADASTRE_OIDC_ISSUER: wiring.identityProvider.url,
      CADASTRE_OIDC_CLIENT_ID: webClientId,
      CADASTRE_OIDC_AUDIENCE: restAudience,
      CADASTRE_BASE_URL: `https://localhost:${wiring.httpsPort}`,
    },
  );
}

export function searchPlan(wiring: Wiring): ServicePlan {
  const own = { CADASTRE_DATA_DIR: wiring.paths.directory };
  return grpcService(wiring, 'search', { heapMb: 512, youngMb: 32 }, own);
}

/** Directory into which the events service writes the mails; undefined with a mail server. */
export function mailSink({ paths }: Pick<Wiring, 'paths'>): string | undefined {
  return process.env.CADASTRE_MAIL_URL ? undefined : paths.mails;
}

export function eventsPlan(wiring: Wiring): ServicePlan {
  const sink = mailSink(wiring);
  const own = {
    ...(sink !== undefined && { CADASTRE_MAIL_URL: pathToFileURL(sink).href }),
    CADASTRE_MAIL_FROM: process.env.CADASTRE_MAIL_FROM || 'noreply@cadastre.example',
    CADASTRE_BASE_URL: process.env.CADASTRE_BASE_URL || `https://localhost:${wiring.httpsPort}`,
    CADASTRE_WEBHOOKS: process.env.CADASTRE_WEBHOOKS ?? 'true',
  };
  return grpcService(wiring, 'events', { heapMb: 192 }, own);
}

/** Its clients may have any number of connections. */
const thisMachine = '127.0.0.0/8,::1';

/** The whois service; clients on this machine may have any number of connections. */
export function whoisPlan(wiring: Wiring): ServicePlan {
  const own = {
    CADASTRE_WHOIS_PORT: String(wiring.whoisPort),
    CADASTRE_LIMITS: limits(),
    CADASTRE_UNLIMITED_NETWORKS: process.env.CADASTRE_UNLIMITED_NETWORKS ?? thisMachine,
  };
  return grpcService(wiring, 'whois', { heapMb: 512, youngMb: 32 }, own);
}

/** Whether the mirror service has anything to publish or to follow. */
export function runsMirror({ published, dumped, originsFile }: RunSettings): boolean {
  return published.length + dumped.length > 0 || originsFile !== undefined;
}

/** The mirror service; it publishes to where the gateway serves it. */
export function mirrorPlan(wiring: Wiring): ServicePlan {
  const own = {
    CADASTRE_DATABASE_URL: wiring.databases.mirror,
    CADASTRE_PUBLICATIONS_DIR: wiring.paths.publications,
    CADASTRE_MIRROR_KEYS_DIR: wiring.paths.mirrorKeys,
  };
  return grpcService(wiring, 'mirror', { heapMb: 512 }, own);
}

/**
 * On a trial machine scripts and browser share one address, so local requests have no rate limits. The limits on
 * concurrent requests still protect other clients.
 */
const localLimits =
  'queries=-1 searches=-1 updates=-1 bulk-resources=-1 bytes=-1 processing=-1 concurrent-requests=500 concurrent-searches=100 ' +
  'concurrent-updates=500 concurrent-streams=100';

function limits(): string {
  return process.env.CADASTRE_LIMITS ?? `127.0.0.0/8 ${localLimits}, ::1/128 ${localLimits}`;
}

/** The gateway with the public REST interface. */
export function gatewayPlan(wiring: Wiring): ServicePlan {
  const address = wiring.settings.bindAddress ?? '127.0.0.1';
  const host = address.includes(':') ? `[${address}]` : address;
  const own = {
    ...(existsSync(builtPages) ? { CADASTRE_WEB_DIR: builtPages } : {}),
    CADASTRE_DATA_DIR: wiring.paths.tls,
    CADASTRE_PUBLICATIONS_DIR: wiring.paths.publications,
    CADASTRE_LIMITS: limits(),
    CADASTRE_UNLIMITED_NETWORKS: process.env.CADASTRE_UNLIMITED_NETWORKS ?? thisMachine,
    CADASTRE_GATEWAY_DRAIN: '0s', // No other gateway can take over.
    CADASTRE_OPERATIONS: wiring.settings.operations,
    CADASTRE_HTTP_PORT: String(wiring.httpPort),
    CADASTRE_HTTPS_PORT: String(wiring.httpsPort),
    CADASTRE_CERT_PORT: String(wiring.certPort),
  };
  const program = {
    file: mainOf('gateway'),
    env: { ...environment(wiring), ...own },
    flags: flagsOf(wiring, 'gateway'),
    heapMb: 768,
    youngMb: 32,
  };
  return { name: 'gateway', program, ready: httpCheck(`http://${host}:${wiring.httpPort}/metadata/sources`) };
}

/** Accounts and sign-in, instead of the identity provider of a real deployment. */
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
    flags: flagsOf(wiring, 'identity-provider'),
    heapMb: 192,
  };
  return { name: 'identity-provider', program, ready: httpCheck(`${url}/.well-known/openid-configuration`) };
}
