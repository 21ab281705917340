import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateObjects } from '@cadastre/objects/migrate';
import { createLogger, migrate, onceAvailable } from '@cadastre/service';
import { claimDirectory } from './directory-claim.js';
import { keepPostgres } from './keep-postgres.js';
import { keepService, keepServices, type ServicePlan, startTimeoutMs } from './keep-service.js';
import { loadSamplesOnce, serialOf } from './load-samples.js';
import type { Parts } from './parts.js';
import {
  type Addressing,
  authPlan,
  environment,
  eventsPlan,
  gatewayPlan,
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
import { waitUntilReady } from './ready.js';
import { type RunFile, writePrivateFile } from './run-file.js';
import { type DataPaths, dataPaths, type ProgramName, programNames, type RunSettings } from './run-settings.js';
import { ensureSigningKey } from './signing-key.js';
import { ensureTrialKey, type TrialKey } from './trial-key.js';
import { untilSearchable } from './until-searchable.js';

const maxSocketDirectoryLength = 60;
const maxIndexingMs = 20_000;

const logger = createLogger({ service: 'start', level: 'silent' });

/** A running system. */
export interface System {
  addresses: RunFile;
  key: TrialKey;
  /** Directory of the mails; undefined with a mail server. */
  mails: string | undefined;
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

  await ensureWebhookKey(paths.webhookKey);
  if (runsMirror(settings)) await ensureSigningKey(paths);
  const identityProvider = await wireIdentityProvider(socketDirectory, identityPort);
  const ports = { httpPort, httpsPort, certPort, whoisPort };
  const wiring = { settings, paths, socketDirectory, identityProvider, ...ports };

  announce(`Starting PostgreSQL with the data in ${paths.directory}`);
  const databases = startDatabases(wiring, parts, announce);
  await startServices(wiring, databases, parts, announce);
  // On a busy machine a ready service may still answer that it is unavailable, when PostgreSQL takes a second.
  const busy = { logger, signal: parts.stopping };
  const [key] = await Promise.all([
    onceAvailable(() => ensureTrialKey(grpcAddress(wiring, 'auth'), 'alice@example.net', paths.apiKey), busy),
    onceAvailable(() => awaitIndex(wiring, announce), busy),
  ]);
  const addresses = addressesOf(wiring);
  await parts.start(() => publish(paths, addresses));
  return { addresses, key, mails: mailSink(wiring) };
}

/**
 * Starts the services concurrently, in one process or in several, and loads the sample objects when they are ready.
 * Loads the code of the shared process while the databases are prepared.
 */
async function startServices(
  wiring: Addressing,
  databases: Promise<Wiring['databases']>,
  parts: Parts,
  announce: (line: string) => void,
): Promise<void> {
  const { settings, paths } = wiring;
  const supervision = { logDirectory: paths.logs, announce, stopping: parts.stopping };
  const layers = databases.then((urls) => layersOf({ ...wiring, databases: urls }, () => samples));
  const samples: Promise<void> = layers.then((all) => loadSamples(wiring, all.flat(), parts.stopping, announce));
  // When a service ends, the samples fail too: the failure of the service explains more.
  samples.catch(() => undefined);
  const isShared = (name: ProgramName) => settings.processes === 'one' && !settings.nodeFlags.has(name);
  const shared = programNames.filter((name) => isShared(name) && (name !== 'mirror' || runsMirror(settings)));
  const sharedPlans = async () => (await layers).flat().filter(({ name }) => isShared(name));
  const startApart = async () => {
    const own = (await layers).map((layer) => layer.filter(({ name }) => !isShared(name)));
    await Promise.all(
      own.map((layer) => parts.startTogether(layer.map((plan) => () => keepService(plan, supervision)))),
    );
  };
  announce('Starting the services');
  await Promise.all([
    layers,
    shared.length > 0 && parts.start(() => keepServices(shared, environment(wiring), sharedPlans, supervision)),
    startApart(),
  ]);
  await samples;
}

/** All start concurrently; the lowest layer stops last. */
function layersOf(wiring: Wiring, samples: () => Promise<void>): ServicePlan[][] {
  return [
    [identityProviderPlan(wiring), objectsPlan(wiring)],
    [authPlan(wiring), searchPlan(wiring), eventsPlan(wiring)],
    [
      gatewayPlan(wiring),
      whoisPlan(wiring),
      // The first dump of the day has the sample objects.
      ...(runsMirror(wiring.settings) ? [{ ...mirrorPlan(wiring), after: samples }] : []),
    ],
  ];
}

/**
 * Waits until all services that do not wait for the samples are ready: a starting service may delay others for seconds.
 */
async function loadSamples(
  wiring: Addressing,
  plans: readonly ServicePlan[],
  stopping: AbortSignal,
  announce: (line: string) => void,
): Promise<void> {
  const before = plans.filter(({ after }) => after === undefined);
  await Promise.all(before.map(({ ready }) => waitUntilReady(ready, startTimeoutMs, stopping)));
  const { source } = wiring.settings;
  const objects = grpcAddress(wiring, 'objects');
  const loaded = await onceAvailable(() => loadSamplesOnce(objects, source), { logger, signal: stopping });
  if (loaded > 0) announce(`Loaded ${loaded} sample objects into source ${source}`);
}

/** Waits until search finds the earlier objects; a large index that is behind does not delay the start. */
async function awaitIndex(wiring: Addressing, announce: (line: string) => void): Promise<void> {
  const { source } = wiring.settings;
  const serial = await serialOf(grpcAddress(wiring, 'objects'), source);
  const isReached = await untilSearchable(grpcAddress(wiring, 'search'), source, serial, maxIndexingMs);
  if (!isReached) announce('The search index is still being built: searches may miss objects for a while');
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
  const parent = tmpdir().length <= maxSocketDirectoryLength ? tmpdir() : '/tmp';
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

/** Starts PostgreSQL, and creates and migrates the databases. Returns the URL of each. */
async function startDatabases(
  { paths, socketDirectory: parent }: Addressing,
  parts: Parts,
  announce: (line: string) => void,
): Promise<Wiring['databases']> {
  const socketDirectory = join(parent, 'postgres');
  const { url: superuserUrl } = await parts.start(() =>
    keepPostgres({ dataDirectory: paths.database, socketDirectory, announce }),
  );
  const databases = await prepareDatabase(superuserUrl);
  // One after the other: they share one database, whose migration lock they would wait for.
  for (const owner of databaseOwners) {
    const url = databases[owner];
    await (owner === 'objects'
      ? migrateObjects({ url, logger, signal: parts.stopping })
      : migrate({ url, directory: migrationsOf(owner), logger }));
  }
  return databases;
}

async function wireIdentityProvider(socketDirectory: string, port: number): Promise<Wiring['identityProvider']> {
  const tokenFile = join(socketDirectory, 'directory-token');
  await writeFile(tokenFile, randomBytes(32).toString('base64url'), { mode: 0o600 });
  const url = `http://127.0.0.1:${port}`;
  return { url, port, scimUrl: `${url}/scim/v2`, tokenFile };
}

function addressesOf(wiring: Addressing): RunFile {
  return {
    pid: process.pid,
    objects: grpcAddress(wiring, 'objects'),
    auth: grpcAddress(wiring, 'auth'),
    search: grpcAddress(wiring, 'search'),
    events: grpcAddress(wiring, 'events'),
    whoisRpc: grpcAddress(wiring, 'whois'),
    ...(runsMirror(wiring.settings) && { mirror: grpcAddress(wiring, 'mirror') }),
    http: `http://localhost:${wiring.httpPort}`,
    https: `https://localhost:${wiring.httpsPort}`,
    certHttps: `https://localhost:${wiring.certPort}`,
    whois: `localhost:${wiring.whoisPort}`,
    certificate: join(wiring.paths.tls, 'certificate.pem'),
  };
}
