import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { type CertificateFiles, replaceCertificate } from '@cadastre/service/testing';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/embedded-postgres.js';
import { backUp } from '../harness/back-up.js';
import { type Cluster, connectsAgain, type Replica, startUntilReady } from '../harness/cluster.js';
import { eventually } from '../harness/eventually.js';
import type { Loss } from '../harness/replicated-postgres.js';
import { checkHistory } from './check.js';
import type { Receivers } from './receivers.js';
import type { Registries } from './registries.js';
import type { Writers } from './writers.js';

/** A fault with its repair. */
export interface Kind {
  readonly name: string;
  inject(): Promise<void>;
}

const timeoutMs = 180_000;
/** How long a process or a server is gone or hangs. */
const outageMs = 5_000;
const services = ['objects', 'auth', 'search', 'gateway', 'events', 'whois', 'mirror'] as const;

/** All faults, in their order: kills of services, and between them what happens to the others. */
export function faultsOf(registries: Registries, writers: Writers, receivers: Receivers): Kind[] {
  const { main, follower, postgres, redis } = registries;
  // Replica 0 lives through the whole run, so that its memory shows whether it grows.
  const second = (service: (typeof services)[number]) => main.replicas[service][1]!;
  const kinds: Record<string, () => Promise<void>> = {
    ...Object.fromEntries(
      services.map((service) => [`${service} is killed`, () => killAndStart(main, second(service))]),
    ),
    'objects hangs': () => hang(second('objects')),
    'gateway hangs': () => hang(second('gateway')),
    'mirror of the follower is killed': () => killAndStart(follower, follower.replicas.mirror[0]!),
    'objects of the follower is killed': () => killAndStart(follower, follower.replicas.objects[0]!),
    'one replica of each service restarts in order': async () => {
      for (const service of services) {
        const clientsConnect = connectsAgain(main, second(service));
        const ending = await second(service).stop();
        await startUntilReady(second(service));
        if (ending !== 'ended with exit code 0') throw new Error(`${service} ${ending}`);
        await clientsConnect();
      }
    },
    ...Object.fromEntries(
      (['killed', 'hung', 'cut off'] satisfies Loss[]).map((loss) => [
        `the primary of PostgreSQL is ${loss}, its standby takes over`,
        async () => {
          await postgres.failOver(loss);
          await delay(outageMs);
          await postgres.ensureStandby();
        },
      ]),
    ),
    'Redis is killed': async () => {
      await redis.kill();
      await delay(outageMs);
      await redis.start();
    },
    'certificates between services are replaced': () => replaceInternal(main),
    'the public certificate is replaced': () => replacePublic(registries),
    'the signing key of NRTM is replaced': () => rotateSigningKey(registries),
    'the secret of the webhook is replaced': () => receivers.rotateSecret(),
    'the API key of the writers is replaced': () => replaceApiKey(main, writers),
    'backup and restore into another database': () => backUpAndRestore(registries, writers),
  };
  const order = [
    'objects is killed',
    'the primary of PostgreSQL is killed, its standby takes over',
    'gateway is killed',
    'certificates between services are replaced',
    'the secret of the webhook is replaced',
    'auth is killed',
    'Redis is killed',
    'search is killed',
    'backup and restore into another database',
    'the primary of PostgreSQL is hung, its standby takes over',
    'events is killed',
    'the public certificate is replaced',
    'mirror is killed',
    'the signing key of NRTM is replaced',
    'whois is killed',
    'the API key of the writers is replaced',
    'objects hangs',
    'mirror of the follower is killed',
    'the primary of PostgreSQL is cut off, its standby takes over',
    'gateway hangs',
    'objects of the follower is killed',
    'one replica of each service restarts in order',
  ];
  return order.map((name) => ({ name, inject: kinds[name]! }));
}

async function killAndStart(cluster: Cluster, replica: Replica): Promise<void> {
  const clientsConnect = connectsAgain(cluster, replica);
  replica.kill();
  await replica.stop();
  await delay(outageMs);
  await startUntilReady(replica);
  await clientsConnect();
}

async function hang(replica: Replica): Promise<void> {
  const pid = replica.pid();
  process.kill(pid, 'SIGSTOP');
  try {
    await delay(outageMs);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

/** Replaces the certificates of all replicas, and waits until each shows its new one. */
async function replaceInternal({ replicas, authority }: Cluster): Promise<void> {
  const all = Object.values(replicas).flat();
  for (const { service, certificate } of all) {
    replaceCertificate(certificate, authority.certify('next', [service]));
    // Making a certificate blocks this process, and so the clients of the load.
    await delay(100);
  }
  // A gateway is only a client of the others.
  for (const { service, certificate, address } of all) {
    if (service !== 'gateway') await untilShown(address, certificate);
  }
}

async function replacePublic({ main, publicAuthority, publicCertificate }: Registries): Promise<void> {
  replaceCertificate(publicCertificate, publicAuthority.certify('next', []));
  for (const gateway of main.gateways) await untilShown(gateway, publicCertificate);
}

/** Waits until a server shows the certificate in a file. */
async function untilShown(address: string, { tlsCertFile }: CertificateFiles): Promise<void> {
  const wanted = new X509Certificate(await readFile(tlsCertFile)).fingerprint256;
  const [host, port] = address.split(':');
  await eventually(async () => {
    const socket = connectTls({ host: host!, port: Number(port), rejectUnauthorized: false });
    socket.on('error', () => {});
    try {
      await once(socket, 'secureConnect');
      const { fingerprint256 } = socket.getPeerCertificate();
      if (fingerprint256 !== wanted) throw new Error(`${address} shows its old certificate`);
    } finally {
      socket.destroy();
    }
    await delay(500);
  }, timeoutMs);
}

/** Announces a key, waits until the follower has read that, then signs with it. */
async function rotateSigningKey({ main, mirrorOf }: Registries): Promise<void> {
  const rotate = (...args: string[]) => main.cadastre('mirror', 'keys', 'rotate', '--folder', main.mirrorKeys, ...args);
  const publication = async () => (await mirrorOf.main.listPublications({})).publications[0]!;
  const checkAfter = (moment: number) =>
    eventually(async () => {
      const checked = (await mirrorOf.follower.listMirrors({})).mirrors[0]!.checkedAt!.getTime();
      if (checked <= moment) throw new Error('the follower has not looked yet');
      return checked;
    }, timeoutMs);
  await rotate();
  const announced = await eventually(async () => {
    const found = await publication();
    if (found.nextKeyFingerprint === '') throw new Error('the next key is not announced');
    return found;
  }, timeoutMs);
  // The second of these checks has begun after the announcement, and caches have expired.
  await checkAfter(await checkAfter(announced.notifiedAt!.getTime() + 2_000));
  await rotate('--now');
  await eventually(async () => {
    const { keyFingerprint } = await publication();
    if (keyFingerprint !== announced.nextKeyFingerprint) throw new Error('the next key does not sign');
  }, timeoutMs);
}

/** Makes another API key, writes with it, and revokes the one before. */
async function replaceApiKey(cluster: Cluster, writers: Writers): Promise<void> {
  const account = ['--user', 'alice@example.net'];
  const before = JSON.parse(await cluster.cadastre('api-key', 'list', ...account, '--json')) as ApiKey[];
  const made = await cluster.cadastre('api-key', 'create', ...account, '--name', 'endurance');
  writers.useCredential(made.trim().split('\n').at(-1)!);
  await delay(outageMs);
  const old = before.filter(({ name, state }) => name === 'endurance' && state === 'valid');
  for (const { id } of old) await cluster.cadastre('api-key', 'revoke', id);
}

/** Copies the running primary, starts the copy, and looks for all that was acknowledged before. */
async function backUpAndRestore({ main, directory }: Registries, { acknowledged }: Writers): Promise<void> {
  const before = [...acknowledged];
  const dataDirectory = join(directory, 'restored');
  await rm(dataDirectory, { recursive: true, force: true });
  await backUp(main.postgresUrl, dataDirectory);
  const settings = { synchronous_standby_names: '' };
  const restored = await startEmbeddedPostgres({ dataDirectory, durable: false, settings });
  try {
    const client = new pg.Client(restored.url.replace(/postgres$/, 'cadastre'));
    client.on('error', () => {});
    await client.connect();
    const checked = await checkHistory((text) => client.query(text), before).finally(() => client.end());
    const wrong = checked
      .filter(({ what }) => what.includes('history') || what.includes('gap'))
      .flatMap((one) => one.wrong);
    if (wrong.length > 0) throw new Error(`LOST in the restored database: ${wrong.join('; ')}`);
  } finally {
    await restored.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

/** As `api-key list --json` prints it. */
interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly state: string;
}
