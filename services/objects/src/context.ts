import { hash } from 'node:crypto';
import type { Account } from '@cadastre/proto/auth';
import {
  type Call,
  createTurns,
  type Database,
  type Logger,
  type Metrics,
  onceAvailable,
  openDatabase,
  openReplica,
  type PoolOptions,
  type PublicTexts,
  type ReadCurrent,
  readPrimary,
  readReplica,
  reportPools,
  reportTableSizes,
  reportWalArchive,
  type Turns,
} from '@cadastre/service';
import type pg from 'pg';
import { Counter } from 'prom-client';
import { type CertificateReader, createCertificateReader } from './domain/certificates/read-certificate.js';
import type { Policy } from './domain/policy.js';
import { type StorageQuota, unlimitedStorage } from './domain/storage-quota.js';
import type { WebhookSecrets } from './domain/webhooks.js';
import { createLoadReaders, type LoadReaders } from './load/read-parts.js';
import { createVersionReader, type VersionReader } from './rpc/version-reader.js';
import { type ChangeSignal, createChangeSignal } from './store/change-signal.js';
import { createTakenNumbers } from './store/handles.js';
import { ensureSources, type Sources } from './store/sources.js';
import { createCommits } from './write/commits.js';
import { createRunningKeys } from './write/key-use.js';
import { createSharedLoading } from './write/loading.js';
import { refusalNotices } from './write/record-refusals.js';
import type { DelegationCheck, WriteServices } from './write/write.js';
import { createWriteTurns } from './write/write-turns.js';

/** Resolves the accounts that `auth: SSO` lines name. */
export interface Accounts {
  /**
   * The accounts of these names by lower-case name, without unknown ones. Throws when the auth service is unavailable.
   */
  resolve(names: readonly string[], call: Call): Promise<Map<string, Account>>;
  /** The accounts of these subjects, by subject, without unknown ones. Throws when the auth service is unavailable. */
  resolveSubjects(subjects: readonly string[], call: Call): Promise<Map<string, Account>>;
}

/** How the operator allows webhooks. */
interface Webhooks {
  readonly secrets: WebhookSecrets;
  /** Whether webhooks may use URLs that are allowed only in trials. */
  readonly anywhere: boolean;
}

/** The dependencies of the RPC handlers. */
export interface Context extends WriteServices {
  /** The database of all pools. */
  readonly database: Database;
  readonly sources: Sources;
  /** For lookups; uses a read replica if there is one. The sources are numbers. */
  readonly readCurrent: ReadCurrent;
  /** For costly reads: versions and the past. Each client has one at a time. */
  readonly turns: Turns;
  /** For bulk loads: no time limit, one connection each. */
  readonly loadPool: pg.Pool;
  readonly changes: ChangeSignal;
  readonly accounts: Accounts;
  readonly certificates: CertificateReader;
  /** Reads the dumps of bulk loads. */
  readonly loadReaders: LoadReaders;
  readonly versions: VersionReader;
  /** The dependencies of webhooks; absent when there are none. */
  readonly webhooks: Webhooks | undefined;
  /** Common names of the callers that publish what they read. */
  readonly publicCallers: readonly string[];
  /** The free texts that public copies keep. */
  readonly publicTexts: PublicTexts;
  /** Counts a stored object that cannot be read. */
  readonly countUnreadable: (source: string, type: string) => void;
  /** Counts a follower of the feed that cannot resume from its serial. */
  readonly countLostFollower: (source: string, caller: string) => void;
  /** Logs an event of a notified address, by its hash. */
  readonly logAddress: AddressLog;
}

export interface ContextOptions {
  readonly databaseUrl: string;
  readonly readDatabaseUrl?: string | undefined;
  readonly source: string;
  readonly grsSources: readonly string[];
  readonly readConnections: number;
  readonly writeConnections: number;
  readonly publicCallers: readonly string[];
  /** Default: none. */
  readonly publicTexts?: PublicTexts;
  readonly accounts: Accounts;
  readonly delegations?: DelegationCheck | undefined;
  readonly policy: Policy;
  /** Default: no bounds. */
  readonly storageQuota?: StorageQuota;
  /** Whether writes record whom to notify; default false. */
  readonly notifies?: boolean;
  readonly webhooks?: Webhooks | undefined;
  readonly clock: () => Date;
  /** How long the start waits for the database, in milliseconds; default a minute. */
  readonly databaseWaitMs?: number | undefined;
  /** Timeout for reading one key, in milliseconds; default 3 seconds. */
  readonly keyDeadlineMs?: number;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

const readTimeoutMs = 30_000;
const writeTimeoutMs = 30_000;
const maxLoads = 8;
/** Maximum concurrent costly reads: each may hold texts of 2 MiB in memory. */
const costlyReads = 2;

/** Every statement is a few index lookups: a generic plan suits all parameters and saves planning. */
const lookupPlans = {
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/**
 * Loads write many entries to the index of references; a finished load leaves none pending. At most one load at a time
 * builds indexes.
 */
const loadSettings = { ...lookupPlans, gin_pending_list_limit: '32MB', maintenance_work_mem: '256MB' };

/** Connects to a migrated database. `close` releases everything. */
export async function createContext(o: ContextOptions): Promise<{ context: Context; close(): Promise<void> }> {
  const { databaseUrl, accounts, delegations, policy, publicCallers, clock, logger } = o;
  const database = openDatabase(databaseUrl);
  const pool = (use: string, max: number, statementTimeoutMs: number, more: Partial<PoolOptions>) =>
    database.createPool({ max, applicationName: `cadastre-objects-${use}`, statementTimeoutMs, ...more });
  const readSettings = { ...lookupPlans, default_transaction_read_only: 'on' };
  const readPool = pool('read', o.readConnections, readTimeoutMs, { sessionSettings: readSettings });
  const writes = { locks: true, pipeline: true };
  const writePool = pool('write', o.writeConnections - 1, writeTimeoutMs, { ...writes, sessionSettings: lookupPlans });
  const storePool = pool('store', 1, writeTimeoutMs, { ...writes, sessionSettings: lookupPlans });
  const loadPool = pool('load', maxLoads, 0, { sessionSettings: loadSettings });
  const replicaPool =
    o.readDatabaseUrl === undefined
      ? undefined
      : openReplica(o.readDatabaseUrl).createPool({
          max: o.readConnections,
          applicationName: 'cadastre-objects-replica',
          statementTimeoutMs: readTimeoutMs,
          sessionSettings: readSettings,
          pipeline: true,
        });
  const allPools = [readPool, writePool, storePool, loadPool, ...(replicaPool ? [replicaPool] : [])];
  const readCurrent = replicaPool
    ? readReplica({
        ...{ primary: readPool, writes: writePool, replica: replicaPool },
        ...{ logger, metrics: o.metrics },
        states: 'select id as source, serial as state from source',
      })
    : readPrimary(readPool);
  if (o.metrics) {
    reportPools(o.metrics, allPools);
    reportTableSizes(o.metrics, readPool);
    reportWalArchive(o.metrics, readPool);
  }
  const changes = createChangeSignal({ database, logger });
  const certificates = createCertificateReader(o.keyDeadlineMs);
  const loadReaders = createLoadReaders();
  const versions = createVersionReader();
  const close = async () => {
    await changes.stop();
    const ends = allPools.map((one) => one.end());
    await Promise.all([...ends, certificates.close(), loadReaders.close(), versions.close()]);
  };
  try {
    const sources = await onceAvailable(() => ensureSources(writePool, o.source, o.grsSources), {
      logger,
      limitMs: o.databaseWaitMs,
    });
    await changes.start();
    const pools = { readPool, readCurrent, writePool, loadPool };
    const registers = o.metrics ? [o.metrics] : [];
    const unreadable = new Counter({
      name: 'cadastre_unreadable_objects_total',
      help: 'Number of reads that found an unreadable stored object',
      labelNames: ['source', 'type'],
      registers,
    });
    const lostFollowers = new Counter({
      name: 'cadastre_feed_followers_lost_total',
      help: 'Number of followers of the change feed that could not resume from their serial',
      labelNames: ['source', 'caller'],
      registers,
    });
    const parts = {
      loading: createSharedLoading(writePool),
      commits: createCommits(storePool),
      takenNumbers: createTakenNumbers(),
      runningKeys: createRunningKeys(),
      writeTurns: createWriteTurns(),
      changes,
      turns: createTurns(costlyReads, 1),
      accounts,
      delegations,
      certificates,
      loadReaders,
      versions,
      policy,
      storageQuota: o.storageQuota ?? unlimitedStorage,
      notices: o.notifies ? refusalNotices(writePool, o) : undefined,
      webhooks: o.webhooks,
      publicCallers,
      publicTexts: o.publicTexts ?? new Map(),
      clock,
      countUnreadable: (source: string, type: string) => unreadable.inc({ source, type }),
      countLostFollower: (source: string, caller: string) => lostFollowers.inc({ source, caller }),
      logAddress: addressLog(logger),
    };
    return { context: { database, sources, ...pools, ...parts }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Logs an event of an address (folded). */
type AddressLog = (address: string, message: string) => void;

/** A log without addresses: the first half of their SHA-256, by which an operator who knows an address finds it. */
export function addressLog(logger: Logger): AddressLog {
  return (address, message) => logger.info({ addressHash: hash('sha256', address).slice(0, 32) }, message);
}
