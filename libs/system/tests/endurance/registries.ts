import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MirrorServiceService } from '@cadastre/proto/mirror';
import { connect, mutualTls } from '@cadastre/service';
import { type Authority, type CertificateFiles, createAuthority } from '@cadastre/service/testing';
import { type MailSink, startMailSink } from '../../../../services/events/tests/mail-sink.js';
import { type RedisServer, startRedis } from '../../../../services/gateway/tests/redis-server.fixture.js';
import { type Cluster, startCluster } from '../harness/cluster.js';
import { type LoadBalancer, startLoadBalancer } from '../harness/load-balancer.js';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../harness/replicated-postgres.js';

/** Sources of the copies in the follower: by NRTM version 4, and by a dump with NRTM version 3. */
export const copies = { nrtm4: 'OTHER-GRS', nrtm3: 'THIRD-GRS' } as const;

/** A registry as in production, and another one that follows it in two ways. */
export interface Registries {
  /** For files that live as long as the registries. */
  readonly directory: string;
  readonly main: Cluster;
  readonly follower: Cluster;
  readonly postgres: ReplicatedPostgres;
  readonly redis: RedisServer;
  readonly mail: MailSink;
  readonly balancer: LoadBalancer;
  /** Issues the certificates that clients of the gateways see, and the one in use. */
  readonly publicAuthority: Authority;
  readonly publicCertificate: CertificateFiles;
  readonly mirrorOf: Readonly<Record<'main' | 'follower', MirrorClient>>;
  stop(): Promise<void>;
}

type MirrorClient = ReturnType<typeof connect<typeof MirrorServiceService>>;

/** Counts every client in Redis, and refuses none of this load. */
const limits =
  'queries=100000 searches=100000 updates=100000 personal-objects=-1 search-objects=-1 bytes=-1 processing=-1 ' +
  'concurrent-requests=500 concurrent-searches=100 concurrent-updates=100 concurrent-streams=100 block-after=0';

/** On a busy machine only what is broken may be refused. */
const deadlines = 'read=20s write=30s search=60s';

/** Longer than that of the chart, for the same reason. */
const probeTimeoutMs = 5_000;

const loaded = (name: string) => `--import=${new URL(`../harness/${name}.mjs`, import.meta.url).href}`;

/** Starts both. `short`: the mirror services wait seconds where they usually wait minutes. */
export async function startRegistries(short: boolean): Promise<Registries> {
  const directory = await mkdtemp(join(tmpdir(), 'cadastre-endurance-'));
  const [mail, redis] = await Promise.all([startMailSink(), startRedis()]);
  const publicAuthority = createAuthority();
  const publicCertificate = publicAuthority.certify('registry', []);
  const redisFile = join(directory, 'redis-url');
  await writeFile(redisFile, redis.url);
  const options = ['--expose-gc', loaded('collect-on-signal'), ...(short ? [loaded('short-minutes')] : [])];
  const node = { NODE_OPTIONS: options.join(' ') };
  let postgres: ReplicatedPostgres | undefined;
  const main = await startCluster({
    repeatsStarts: true,
    events: true,
    whois: true,
    mirror: true,
    startPostgres: async (place) => {
      postgres = await startReplicatedPostgres(join(place, 'servers'));
      return postgres;
    },
    env: {
      ...node,
      CADASTRE_MIRROR_PUBLISH: 'TEST',
      CADASTRE_MIRROR_DUMPS: 'TEST',
      CADASTRE_WHOIS_NRTM_CLIENTS: '127.0.0.1',
      CADASTRE_MAIL_URL: mail.url,
      CADASTRE_WEBHOOKS_ANYWHERE: 'true',
      CADASTRE_REDIS_URL_FILE: redisFile,
      CADASTRE_LIMITS: limits,
      CADASTRE_GATEWAY_DEADLINES: deadlines,
      CADASTRE_HTTPS_CERT_FILE: publicCertificate.tlsCertFile,
      CADASTRE_HTTPS_KEY_FILE: publicCertificate.tlsKeyFile,
    },
  });
  const origins = join(directory, 'origins.json');
  // Replica 1 is the one that is killed.
  const files = `https://localhost:${main.gateways[1]!.split(':')[1]}`;
  const nrtm4 = {
    url: `${files}/nrtmv4/TEST/update-notification-file.jose`,
    source: 'TEST',
    key: await main.cadastre('mirror', 'keys', 'show', '--public', '--folder', main.mirrorKeys),
    ownNetwork: true,
  };
  const [host, port] = main.replicas.whois[1]!.port43!.split(':');
  const nrtm3 = {
    ...{ host, port: Number(port), source: 'TEST', ownNetwork: true },
    dump: `${files}/dumps/test/test.db.gz`,
    serial: `${files}/dumps/test/TEST.CURRENTSERIAL`,
  };
  await writeFile(origins, JSON.stringify({ [copies.nrtm4]: { nrtm4 }, [copies.nrtm3]: { nrtm3 } }));
  const follower = await startCluster({
    repeatsStarts: true,
    count: 1,
    mirror: true,
    env: {
      ...node,
      CADASTRE_GRS_SOURCES: Object.values(copies).join(),
      CADASTRE_MIRROR_ORIGINS_FILE: origins,
      NODE_EXTRA_CA_CERTS: publicCertificate.tlsCaFile,
    },
  });
  const balancer = startLoadBalancer(main, probeTimeoutMs);
  const [mainMirror, followerMirror] = [mirrorClient(main), mirrorClient(follower)];
  return {
    directory,
    main,
    follower,
    postgres: postgres!,
    redis,
    mail,
    balancer,
    publicAuthority,
    publicCertificate,
    mirrorOf: { main: mainMirror.client, follower: followerMirror.client },
    async stop() {
      mainMirror.close();
      followerMirror.close();
      await balancer.stop();
      await Promise.all([main.stop(), follower.stop()]);
      await Promise.all([mail.close(), redis.remove()]);
      publicAuthority.remove();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function mirrorClient(cluster: Cluster) {
  const tls = mutualTls(cluster.authority.certify('operator'))!;
  const address = cluster.addressOf('mirror');
  const client = connect(MirrorServiceService, { address, tls, deadlineMs: 10_000 });
  const close = () => {
    client.close();
    tls.close();
  };
  return { client, close };
}
