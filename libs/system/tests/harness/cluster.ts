import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ObjectReaderServiceService } from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import { connect, createLogger, migrate, mutualTls, readSettings, reservePort } from '@cadastre/service';
import { type Authority, type CertificateFiles, createAuthority } from '@cadastre/service/testing';
import { expect } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/embedded-postgres.js';
import type { ServicePlan } from '../../src/keep-service.js';
import { openLog } from '../../src/log-files.js';
import { type NodeProcess, type NodeProgram, startNode } from '../../src/node-process.js';
import {
  authPlan,
  eventsPlan,
  gatewayPlan,
  identityProviderPlan,
  migrationsOf,
  mirrorPlan,
  objectsPlan,
  searchPlan,
  type Wiring,
  whoisPlan,
} from '../../src/plans.js';
import { databaseOwners, prepareDatabase } from '../../src/prepare-database.js';
import { dataPaths, runSettings } from '../../src/run-settings.js';
import { sampleRegistry } from '../../src/sample-registry.js';
import { ensureSigningKey } from '../../src/signing-key.js';
import { isConnected } from './connections.js';
import { eventually } from './eventually.js';
import { runProgram } from './run-program.js';
import { copyPreparedData } from './run-system.js';

const program = fileURLToPath(new URL('../../../../bin/cadastre', import.meta.url));

export const replicated = ['objects', 'auth', 'search', 'gateway'] as const;
export type Replicated = (typeof replicated)[number];

const optional = ['events', 'whois', 'mirror'] as const;

/** Services of a cluster; the optional ones only where a test asks for them. */
type ServiceName = Replicated | (typeof optional)[number];

const planOf = {
  ...{ objects: objectsPlan, auth: authPlan, search: searchPlan, gateway: gatewayPlan },
  events: eventsPlan,
  whois: whoisPlan,
  mirror: mirrorPlan,
};

/** More than any process id: a signal to it fails. With -1 it would reach every process of the machine. */
const noProcess = 2 ** 30;

/** One of the processes of a service. */
export interface Replica {
  service: ServiceName;
  /** Its operations port: /ready, /metrics. */
  operations: string;
  /** gRPC address; of a gateway the address of its HTTPS port. */
  address: string;
  /** Of whois: the address of port 43. */
  port43: string | undefined;
  /** Of a gateway: the address of its port for client certificates. */
  certHttps: string | undefined;
  /** Its certificate for calls. */
  certificate: CertificateFiles;
  /** Process id; `noProcess` when it does not run. */
  pid(): number;
  /** Kills it, if it runs. */
  kill(): void;
  /** Stops it as Kubernetes does: SIGTERM, then waits. Returns how it ended. */
  stop(): Promise<string>;
  /** Restarts it and waits until it is ready. */
  start(): Promise<void>;
}

/**
 * Starts a replica until it is ready. A service that cannot reach the database at its start ends, and Kubernetes starts
 * it again.
 */
export function startUntilReady(replica: Replica): Promise<void> {
  return eventually(() => replica.start().catch((error) => replica.stop().then(() => Promise.reject(error))), 180_000);
}

/** Returns a function that waits until the processes that are now connected to a replica are connected to it again. */
export function connectsAgain(cluster: Cluster, replica: Replica): () => Promise<void> {
  const isClient = ({ pid }: Replica) => isConnected(pid(), replica.address);
  const clients = Object.values(cluster.replicas)
    .flat()
    .filter((other) => other !== replica && isClient(other));
  return () => eventually(() => expect(clients.filter(isClient)).toEqual(clients), 180_000);
}

/** Two replicas of each service, as on Kubernetes: TCP, mutual TLS, addresses of both, and their own database. */
export interface Cluster {
  replicas: Record<ServiceName, readonly Replica[]>;
  /** The REST interface of each gateway. */
  gateways: readonly string[];
  /** Their certificate, PEM. */
  gatewayCertificate: string;
  /** alice@example.net, who maintains EXAMPLE-MNT. */
  credential: string;
  authority: Authority;
  /** gRPC addresses of a service, in the form of settings. */
  addressOf(service: Exclude<ServiceName, 'gateway'>): string;
  /** Superuser URL of the database server. */
  postgresUrl: string;
  databases: Wiring['databases'];
  /** Folder of the keys that sign publications. */
  mirrorKeys: string;
  /** Folder of publications. */
  publications: string;
  /** Folder of the logs: objects-0.log and so on. */
  logs: string;
  /** The complete texts of all objects of a source now, with less work than `cadastre export`. */
  textsOf(source: string): Promise<string[]>;
  /** Runs bin/cadastre as the operator. */
  cadastre(...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** Further variables of every service. */
  env?: Record<string, string>;
  /** Number of replicas; default 2. */
  count?: number;
  /** Whether the events service runs; default: no. */
  events?: boolean;
  /** Whether the whois service runs; default: no. */
  whois?: boolean;
  /** Whether the mirror service runs, with signing keys if it publishes; default: no. */
  mirror?: boolean;
  /** Whether services that end at their start, and commands that fail, are started again; default: no. */
  repeatsStarts?: boolean;
  /** Starts the database in this directory; default: one server. */
  startPostgres?(directory: string): Promise<Pick<EmbeddedPostgres, 'url' | 'stop'>>;
}

/** Starts a cluster with the sample objects; needs a build and openssl. */
export async function startCluster(o: ClusterOptions = {}): Promise<Cluster> {
  const directory = await mkdtemp(join(tmpdir(), 'cadastre-cluster-'));
  const authority = createAuthority();
  const postgres = await (o.startPostgres ?? startOneServer)(directory);
  const wiring = await wire(directory, postgres.url);
  if (o.mirror) await ensureSigningKey(wiring.paths);
  const logger = createLogger({ service: 'migrate', level: 'silent' });
  for (const owner of databaseOwners) {
    await migrate({ url: wiring.databases[owner], directory: migrationsOf(owner), logger });
  }
  const identityProvider = startNode(
    built(identityProviderPlan(wiring).program),
    await openLog(wiring.paths.logs, 'identity-provider'),
  );
  const replicas = await planReplicas(wiring, authority, o);
  const all = Object.values(replicas).flat();
  const atEnd: (() => void)[] = [];
  const stop = async () => {
    for (const close of atEnd) close();
    await Promise.all(all.map((replica) => replica.stop()));
    await identityProvider.stop();
    await postgres.stop();
    authority.remove();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    // The first gateway makes the certificate that all have.
    const [, ...otherGateways] = replicas.gateway;
    const first = all.filter((replica) => !otherGateways.includes(replica));
    const start = (replica: Replica) => (o.repeatsStarts ? startUntilReady(replica) : replica.start());
    const identityReady = eventually(() => fetch(wiring.identityProvider.url), 180_000);
    await Promise.all([identityReady, ...first.map(start)]);
    await Promise.all(otherGateways.map(start));
    const operator = authority.certify('operator');
    const addressOf = (service: ServiceName) => replicas[service].map(({ address }) => address).join(',');
    const { textsOf, close } = exporter(addressOf('objects'), operator);
    atEnd.push(close);
    const runOnce = (...args: string[]) =>
      runProgram(program, args, {
        ...tlsEnvironment(operator),
        CADASTRE_OBJECTS_ADDRESS: addressOf('objects'),
        CADASTRE_AUTH_ADDRESS: addressOf('auth'),
        CADASTRE_SEARCH_ADDRESS: addressOf('search'),
        ...(o.mirror && { CADASTRE_MIRROR_ADDRESS: addressOf('mirror') }),
      });
    const cadastre = (...args: string[]) =>
      o.repeatsStarts ? eventually(() => runOnce(...args), 180_000) : whileUnavailable(() => runOnce(...args));
    const samples = join(directory, 'samples.rpsl');
    await writeFile(samples, sampleRegistry(new Date(), 'TEST'), 'latin1');
    const [key] = await Promise.all([
      cadastre('api-key', 'create', '--user', 'alice@example.net', '--name', 'cluster'),
      cadastre('load', '--source', 'TEST', '--wait', samples),
    ]);
    return {
      replicas,
      gateways: replicas.gateway.map(({ address }) => address),
      gatewayCertificate: await readFile(
        o.env?.CADASTRE_HTTPS_CERT_FILE ?? join(wiring.paths.tls, 'certificate.pem'),
        'utf8',
      ),
      credential: key.trim().split('\n').at(-1)!,
      authority,
      addressOf,
      postgresUrl: postgres.url,
      databases: wiring.databases,
      mirrorKeys: wiring.paths.mirrorKeys,
      publications: wiring.paths.publications,
      logs: wiring.paths.logs,
      textsOf,
      cadastre,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const maxTries = 3;
const pauseMs = 500;

/** Repeats a command for which a service was unavailable, as a connection may be while the machine stands still. */
async function whileUnavailable(command: () => Promise<string>): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      return await command();
    } catch (error) {
      if (tries === maxTries || !String(error).includes('(Service temporarily unavailable)')) throw error;
    }
    await delay(pauseMs);
  }
}

function exporter(address: string, operator: CertificateFiles): Pick<Cluster, 'textsOf'> & { close(): void } {
  const tls = mutualTls(operator)!;
  const reader = connect(ObjectReaderServiceService, { address, tls, deadlineMs: 60_000 });
  return {
    async textsOf(source) {
      const texts: string[] = [];
      const pages = reader.exportObjects({ source, types: [], view: View.VIEW_COMPLETE, asOf: {} });
      for await (const { objects } of pages) texts.push(...objects.map(({ text }) => text));
      return texts;
    },
    close() {
      reader.close();
      tls.close();
    },
  };
}

async function startOneServer(directory: string): Promise<EmbeddedPostgres> {
  await copyPreparedData(directory);
  return startEmbeddedPostgres({
    dataDirectory: join(directory, 'postgres'),
    socketDirectory: join(directory, 'socket'),
    durable: false,
    settings: { max_connections: '200' },
  });
}

async function wire(directory: string, postgresUrl: string): Promise<Wiring> {
  const settings = readSettings(runSettings, { CADASTRE_DATA_DIR: directory });
  const paths = dataPaths(settings);
  await mkdir(paths.logs, { recursive: true });
  const tokenFile = join(directory, 'directory-token');
  for (const file of [tokenFile, paths.webhookKey]) {
    await writeFile(file, randomBytes(32).toString('base64url'), { mode: 0o600 });
  }
  const port = await reservePort();
  const url = `http://127.0.0.1:${port}`;
  return {
    settings,
    paths,
    socketDirectory: directory,
    databases: await prepareDatabase(postgresUrl),
    identityProvider: { url, port, scimUrl: `${url}/scim/v2`, tokenFile },
    httpPort: 0,
    httpsPort: 0,
    certPort: 0,
    whoisPort: 0,
  };
}

/** Tests run from the sources, services from what was built. */
function built(program: NodeProgram): NodeProgram {
  return { ...program, file: program.file.replace('/src/', '/dist/') };
}

function tlsEnvironment({ tlsCertFile, tlsKeyFile, tlsCaFile }: CertificateFiles): Record<string, string> {
  return {
    CADASTRE_TLS_CERT_FILE: tlsCertFile,
    CADASTRE_TLS_KEY_FILE: tlsKeyFile,
    CADASTRE_TLS_CA_FILE: tlsCaFile,
  };
}

type Place = Pick<Replica, 'service' | 'address' | 'operations' | 'port43' | 'certHttps'>;

async function planReplicas(
  wiring: Wiring,
  authority: Authority,
  o: ClusterOptions,
): Promise<Record<ServiceName, Replica[]>> {
  const services: readonly ServiceName[] = [...replicated, ...optional.filter((service) => o[service])];
  const places: Place[] = [];
  for (const service of services) {
    for (let n = 0; n < (o.count ?? 2); n++) {
      const [address, operations] = [`127.0.0.1:${await reservePort()}`, `127.0.0.1:${await reservePort()}`];
      const port43 = service === 'whois' ? `127.0.0.1:${await reservePort()}` : undefined;
      const certHttps = service === 'gateway' ? `127.0.0.1:${await reservePort()}` : undefined;
      places.push({ service, address, operations, port43, certHttps });
    }
  }
  const of = (service: ServiceName) => places.filter((place) => place.service === service);
  const called = [...replicated, ...(o.mirror ? (['mirror'] as const) : [])];
  const backends = called.map((service) => [
    `CADASTRE_${service.toUpperCase()}_ADDRESS`,
    of(service)
      .map(({ address }) => address)
      .join(','),
  ]);
  const shared = Object.fromEntries(backends) as Record<string, string>;
  const replicas = places.map(async (place, index): Promise<[ServiceName, Replica]> => {
    const certificate = authority.certify(`${place.service}-${index}`, [place.service]);
    const env = { ...shared, ...tlsEnvironment(certificate), ...ownSettings(place, wiring), ...o.env };
    const planned = { ...place, certificate };
    return [place.service, await createReplica(planOf[place.service](wiring), planned, env, wiring.paths.logs, index)];
  });
  const made = await Promise.all(replicas);
  const byService = [...replicated, ...optional].map((name) => [
    name,
    made.filter(([service]) => service === name).map(([, replica]) => replica),
  ]);
  return Object.fromEntries(byService) as Record<ServiceName, Replica[]>;
}

function ownSettings(
  { service, address, operations, port43, certHttps }: Place,
  { paths }: Wiring,
): Record<string, string> {
  const port = address.split(':')[1]!;
  const listening: Record<string, string> =
    certHttps !== undefined
      ? {
          CADASTRE_HTTPS_PORT: port,
          CADASTRE_HTTP_PORT: '0',
          CADASTRE_CERT_PORT: certHttps.split(':')[1]!,
          CADASTRE_BIND_ADDRESS: '127.0.0.1',
          CADASTRE_GATEWAY_DRAIN: '1s',
          CADASTRE_LIMITS: '127.0.0.0/8 exempt',
          CADASTRE_GATEWAY_EVENT_LOOP_DELAY: '60s', // On a busy machine only what is broken may refuse.
        }
      : {
          CADASTRE_LISTEN: address,
          ...(port43 !== undefined && { CADASTRE_WHOIS_PORT: port43.split(':')[1]! }),
          ...(service === 'search' && { CADASTRE_DATA_DIR: join(paths.directory, `search-${port}`) }),
        };
  return { ...listening, CADASTRE_OPERATIONS: operations };
}

async function createReplica(
  plan: ServicePlan,
  place: Place & Pick<Replica, 'certificate'>,
  env: Record<string, string>,
  logDirectory: string,
  index: number,
): Promise<Replica> {
  const log = await openLog(logDirectory, `${place.service}-${index}`);
  let running: NodeProcess | undefined;
  return {
    ...place,
    pid: () => (running !== undefined && running.pid > 0 ? running.pid : noProcess),
    kill: () => running?.kill(),
    async stop() {
      const stopped = running;
      running = undefined;
      await stopped?.stop();
      return (await stopped?.exited) ?? 'was not running';
    },
    async start() {
      const started = startNode({ ...built(plan.program), env: { ...plan.program.env, ...env } }, log);
      running = started;
      const reported = async (ending: string) =>
        new Error(`${place.service} ${ending}: ${(await log.tail(8)).join('\n')}`);
      const ready = eventually(async () => {
        const { status } = await fetch(`http://${place.operations}/ready`).catch(() => ({ status: 0 }));
        if (status !== 200) throw await reported(`is not ready (${status})`);
      }, 180_000);
      const ended = started.exited.then(async (ending) => Promise.reject(await reported(ending)));
      await Promise.race([ready, ended]);
    },
  };
}
