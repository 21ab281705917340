import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateObjects } from '@cadastre/objects';
import { createLogger, migrate } from '@cadastre/service';
import { claimDirectory } from './directory-claim.js';
import { keepPostgres } from './keep-postgres.js';
import { keepService, type ServicePlan } from './keep-service.js';
import { loadSamplesOnce, serialOf } from './load-samples.js';
import type { Parts } from './parts.js';
import {
  authPlan,
  eventsPlan,
  gatewayPlan,
  geoPlan,
  grpcAddress,
  identityProviderPlan,
  mailSink,
  migrationsOf,
  mirrorPlan,
  objectsPlan,
  runsMirror,
  searchPlan,
  type Wiring,
  whoisPlan,
} from './plans.js';
import { choosePorts } from './ports.js';
import { databaseOwners, prepareDatabase } from './prepare-database.js';
import { type RunFile, writePrivateFile } from './run-file.js';
import { type DataPaths, dataPaths, type RunSettings } from './run-settings.js';
import { ensureSigningKey } from './signing-key.js';
import { ensureTrialKey, type TrialKey } from './trial-key.js';
import { untilSearchable } from './until-searchable.js';

const longestSocketDirectory = 60;
const longestIndexingMs = 20_000;

/** A running system. */
export interface System {
  addresses: RunFile;
  key: TrialKey;
  /** URL of the page with the mails; undefined when a mail server gets them. */
  mailsPage: string | undefined;
}

/**
 * Starts PostgreSQL, the identity provider and the services as parts, loads sample objects into an empty registry,
 * and writes run.json to the data directory. Throws a StartFailure when it cannot start.
 */
export async function startSystem(
  settings: RunSettings,
  parts: Parts,
  announce: (line: string) => void,
): Promise<System> {
  const paths = dataPaths(settings);
  await mkdir(paths.directory, { recursive: true, mode: 0o700 });
  await parts.start(() => claim(paths));
  const [httpPort = 0, httpsPort = 0, certPort = 0, whoisPort = 0, identityPort = 0] = await choosePorts([
    { port: settings.httpPort, settingName: 'CADASTRE_HTTP_PORT' },
    { port: settings.httpsPort, settingName: 'CADASTRE_HTTPS_PORT' },
    { port: settings.certPort, settingName: 'CADASTRE_CERT_PORT' },
    { port: settings.whoisPort, settingName: 'CADASTRE_WHOIS_PORT' },
    { port: 0, settingName: '' },
  ]);
  const { directory: socketDirectory } = await parts.start(makeSocketDirectory);

  announce(`Starting PostgreSQL with the data in ${paths.directory}`);
  const postgres = await parts.start(() =>
    keepPostgres({ dataDirectory: paths.database, socketDirectory: join(socketDirectory, 'postgres'), announce }),
  );
  const databases = await prepareDatabase(postgres.url);
  await migrateAll(databases);

  const identityProvider = await wireIdentityProvider(socketDirectory, identityPort);
  const wiring = {
    settings,
    paths,
    socketDirectory,
    databases,
    identityProvider,
    httpPort,
    httpsPort,
    certPort,
    whoisPort,
  };
  await ensureWebhookKey(paths.webhookKey);
  announce('Starting the services');
  await startAll([identityProviderPlan(wiring), objectsPlan(wiring)], wiring, parts, announce);
  await startAll([authPlan(wiring), searchPlan(wiring), geoPlan(wiring), eventsPlan(wiring)], wiring, parts, announce);
  await startAll([gatewayPlan(wiring), whoisPlan(wiring)], wiring, parts, announce);

  const { source } = settings;
  const loaded = await loadSamplesOnce(grpcAddress(wiring, 'objects'), source);
  if (loaded > 0) announce(`Loaded ${loaded} sample objects into source ${source}`);
  if (runsMirror(settings)) {
    await ensureSigningKey(paths);
    // After the sample objects, which the first dump of the day then has.
    await startAll([mirrorPlan(wiring)], wiring, parts, announce);
  }
  await awaitIndex(wiring, announce);
  const key = await ensureTrialKey(grpcAddress(wiring, 'auth'), 'alice@example.net', paths.apiKey);
  const addresses = addressesOf(wiring);
  await parts.start(() => publish(paths, addresses));
  const mailsPage = mailSink(wiring) && `${addresses.https}/-/mails`;
  return { addresses, key, mailsPage };
}

/** Waits until search finds what was registered before; a large index that is behind does not delay the start. */
async function awaitIndex(wiring: Wiring, announce: (line: string) => void): Promise<void> {
  const { source } = wiring.settings;
  const serial = await serialOf(grpcAddress(wiring, 'objects'), source);
  const isReached = await untilSearchable(grpcAddress(wiring, 'search'), source, serial, longestIndexingMs);
  if (!isReached) announce('The search index is still being built: searches may miss objects for a while');
}

async function startAll(
  plans: ServicePlan[],
  wiring: Wiring,
  parts: Parts,
  announce: (line: string) => void,
): Promise<void> {
  await Promise.all(
    plans.map((plan) => parts.start((stopping) => keepService(plan, wiring.paths.logs, announce, stopping))),
  );
}

async function claim(paths: DataPaths) {
  const { release } = await claimDirectory(paths.directory);
  return { stop: async () => release(), kill: release };
}

/** A later run has the same key: otherwise the secrets of all webhooks would change. */
async function ensureWebhookKey(file: string): Promise<void> {
  if (!existsSync(file)) await writePrivateFile(file, randomBytes(32).toString('base64url'));
}

/** A new private directory whose path is short enough for sockets. */
async function makeSocketDirectory() {
  const parent = tmpdir().length <= longestSocketDirectory ? tmpdir() : '/tmp';
  const directory = await mkdtemp(join(parent, 'cadastre-'));
  return { directory, ...removal(directory) };
}

async function publish(paths: DataPaths, addresses: RunFile) {
  await writePrivateFile(paths.runFile, addresses);
  return removal(paths.runFile);
}

/** A part of the system that is a file: stopping removes it. */
function removal(path: string) {
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  return { stop: async () => remove(), kill: remove };
}

async function migrateAll(databases: Wiring['databases']): Promise<void> {
  const logger = createLogger({ service: 'migrate', level: 'silent' });
  for (const owner of databaseOwners) {
    const url = databases[owner];
    await (owner === 'objects'
      ? migrateObjects({ url, logger })
      : migrate({ url, directory: migrationsOf(owner), logger }));
  }
}

async function wireIdentityProvider(socketDirectory: string, port: number): Promise<Wiring['identityProvider']> {
  const tokenFile = join(socketDirectory, 'directory-token');
  await writeFile(tokenFile, randomBytes(32).toString('base64url'), { mode: 0o600 });
  const url = `http://127.0.0.1:${port}`;
  return { url, port, scimUrl: `${url}/scim/v2`, tokenFile };
}

function addressesOf(wiring: Wiring): RunFile {
  return {
    pid: process.pid,
    objects: grpcAddress(wiring, 'objects'),
    auth: grpcAddress(wiring, 'auth'),
    search: grpcAddress(wiring, 'search'),
    geo: grpcAddress(wiring, 'geo'),
    ...(runsMirror(wiring.settings) && { mirror: grpcAddress(wiring, 'mirror') }),
    http: `http://localhost:${wiring.httpPort}`,
    https: `https://localhost:${wiring.httpsPort}`,
    certHttps: `https://localhost:${wiring.certPort}`,
    whois: `localhost:${wiring.whoisPort}`,
    certificate: join(wiring.paths.tls, 'certificate.pem'),
  };
}
