import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publicKeyOf } from '@cadastre/nrtm';
import { createMetrics, inTransaction, openDatabase } from '@cadastre/service';
import { fixedClock, testDatabase, testLogger } from '@cadastre/service/testing';
import type { Pool } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { FileStore } from '../src/files/file-store.js';
import { folderStore } from '../src/files/folder.js';
import type { Lease } from '../src/leases.js';
import { type PublicSource, publicSources } from '../src/public-source.js';
import { publishMetrics } from '../src/publish/publish-metrics.js';
import { createPublisher, type Publisher } from '../src/publish/publisher.js';
import type { SigningKeys } from '../src/publish/signing-keys.js';
import { createFollower, type Follower } from './follower.fixture.js';
import { createRegistry, type Registry } from './registry.fixture.js';

/** Private key of a new pair (PEM). */
export function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The keys of a publication whose next one is announced. */
export function keysOf(privateKey: string, next?: string): SigningKeys {
  const nextPublicKey = next === undefined ? undefined : publicKeyOf(next);
  return { privateKey, publicKey: publicKeyOf(privateKey), nextPublicKey };
}

/** A source that is published, usually into a directory. */
export interface Trial {
  readonly registry: Registry;
  readonly source: PublicSource;
  readonly store: FileStore;
  readonly folder: string;
  readonly clock: ReturnType<typeof fixedClock>;
  readonly pool: Pool;
  /** Of the pool's database. */
  readonly databaseUrl: string;
  readonly lease: Lease;
  readonly follower: Follower;
  /** Every byte that the follower has read, unpacked. */
  read(): string;
  /** The keys from now on. */
  use(keys: SigningKeys): void;
  readonly keys: () => SigningKeys;
  /** A publisher in the state of a new process, optionally with other parts. */
  publisher(parts?: { store?: FileStore; maxBytes?: number }): Publisher;
  /** One round of the same publisher. */
  round(): Promise<void>;
  /** A snapshot if one is due, and the round that publishes it. */
  snapshot(): Promise<boolean>;
}

/** The options of a trial. */
interface TrialOptions {
  readonly store?: FileStore;
  /** Publishes the non-authoritative part of the registry of this one. */
  readonly partOf?: Trial;
}

/** Makes trials on a database of this test file; each has a source, a directory and a clock of its own. */
export function useTrials(): (options?: TrialOptions) => Promise<Trial> {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let pool: Pool;
  const folders: string[] = [];
  let count = 0;
  beforeAll(async () => {
    database = await testDatabase(new URL('../migrations/', import.meta.url));
    const options = { max: 5, applicationName: 'test', statementTimeoutMs: 60_000 };
    pool = openDatabase(database.url).createPool(options);
  });
  afterAll(async () => {
    await pool?.end();
    await database?.drop();
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
  });
  return async ({ store, partOf } = {}) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'cadastre-publish-'));
    folders.push(folder);
    const registry = partOf?.registry ?? createRegistry(`TRIAL${++count}`);
    const main = registry.source;
    const name = partOf === undefined ? main : `${main}-NONAUTH`;
    const [source] = publicSources('TRIAL', [name], { source: main, grsSources: [], publicTexts: new Map() });
    const files = { folder, store: store ?? folderStore(folder) };
    return createTrial({ registry, source: source!, pool, databaseUrl: database.url, ...files });
  };
}

function createTrial({
  registry,
  source,
  folder,
  pool,
  databaseUrl,
  store,
}: Pick<Trial, 'registry' | 'source' | 'folder' | 'pool' | 'databaseUrl' | 'store'>): Trial {
  const { objects } = registry;
  const clock = fixedClock(new Date().toISOString());
  const lease: Lease = {
    name: source.name,
    signal: new AbortController().signal,
    transaction: (fn) => inTransaction(pool, fn),
  };
  let keys = keysOf(newKey());
  const publisher = (parts: { store?: FileStore; maxBytes?: number } = {}) =>
    createPublisher({
      ...{
        source,
        pool,
        store,
        maxBytes: 1_000_000_000,
        objects,
        keys: () => keys,
        now: clock.now,
        logger: testLogger(),
        ...parts,
      },
      metrics: publishMetrics(createMetrics('mirror'), clock.now),
    });
  const going = publisher();
  const texts: string[] = [];
  const follower = createFollower(store, source.name, keys.publicKey, (text) => texts.push(text));
  return {
    registry,
    source,
    store,
    folder,
    clock,
    pool,
    databaseUrl,
    lease,
    follower,
    read: () => texts.join(''),
    publisher,
    keys: () => keys,
    use(changed) {
      keys = changed;
    },
    round: () => going.round(lease),
    async snapshot() {
      const made = await going.snapshot(lease);
      if (made) await going.round(lease);
      return made;
    },
  };
}

/** A route object of a source. */
export function route(source: string, number: number, extra = ''): string {
  return `route:          198.51.${number}.0/24
descr:          Office ${number}
origin:         AS64500
${extra}mnt-by:         EXAMPLE-MNT
source:         ${source}`;
}

/** A maintainer whose secrets must not be published. */
export function mntner(source: string, name = 'EXAMPLE-MNT'): string {
  return `mntner:         ${name}
descr:          Example
admin-c:        JD1-EXAMPLE
upd-to:         noc@example.net
notify:         notify@example.net
auth:           MD5-PW $1$abcdefgh$hjklqwertyuiopasdfghjk
auth:           SSO alice@example.net
mnt-by:         ${name}
source:         ${source}`;
}

/** A person, who must not be published. */
export function person(source: string): string {
  return `person:         John Doe
address:        1 Secret Street
phone:          +44 1632 960001
e-mail:         john@example.net
nic-hdl:        JD1-EXAMPLE
mnt-by:         EXAMPLE-MNT
source:         ${source}`;
}

/** A role, published only with an abuse-mailbox. */
export function role(source: string, abuseMailbox = ''): string {
  return `role:           Operations
address:        1 Secret Street
e-mail:         operations@example.net
${abuseMailbox && `abuse-mailbox:  ${abuseMailbox}\n`}nic-hdl:        OPS1-EXAMPLE
mnt-by:         EXAMPLE-MNT
source:         ${source}`;
}
