import type { Account } from '@cadastre/proto/auth';
import { type Call, createPool, type Logger, type Metrics, reportPools } from '@cadastre/service';
import type pg from 'pg';
import type { Policy } from './domain/policy.js';
import { type ChangeSignal, createChangeSignal } from './store/change-signal.js';
import { ensureSources, type Sources } from './store/sources.js';
import type { DelegationCheck } from './write/write.js';

/** Knows the accounts that `auth: SSO` lines name. */
export interface Accounts {
  /** The accounts of these names by lower-case name; unknown ones are left out. Throws when it cannot be told. */
  resolve(names: readonly string[], call: Call): Promise<Map<string, Account>>;
  /** The accounts of these subjects, by subject; unknown ones are left out. Throws when it cannot be told. */
  resolveSubjects(subjects: readonly string[], call: Call): Promise<Map<string, Account>>;
}

/** What the RPC handlers work with. */
export interface Context {
  readonly sources: Sources;
  /** For single statements that only read. */
  readonly readPool: pg.Pool;
  /** For single transactions of writes. */
  readonly writePool: pg.Pool;
  /** For bulk loads: no time limit, one connection each. */
  readonly loadPool: pg.Pool;
  readonly changes: ChangeSignal;
  readonly accounts: Accounts;
  /** Absent where name servers are not looked at. */
  readonly delegations: DelegationCheck | undefined;
  readonly policy: Policy;
  /** Common names of the callers that pass on to the public what they read. */
  readonly publicCallers: readonly string[];
  readonly clock: () => Date;
}

export interface ContextOptions {
  readonly databaseUrl: string;
  readonly source: string;
  readonly grsSources: readonly string[];
  readonly readConnections: number;
  readonly writeConnections: number;
  readonly publicCallers: readonly string[];
  readonly accounts: Accounts;
  readonly delegations?: DelegationCheck | undefined;
  readonly policy: Policy;
  readonly clock: () => Date;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

const readTimeoutMs = 30_000;
const writeTimeoutMs = 30_000;
const maxLoads = 8;

/** Every statement is a handful of index lookups; a plan made once for any parameters is right and saves planning. */
const lookupPlans = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/** Much of the index of references is written at a time; a load that ends leaves nothing pending. */
const loadSettings = { gin_pending_list_limit: '32MB' };

/** Connects to a migrated database. `close` ends everything that was opened. */
export async function createContext(o: ContextOptions): Promise<{ context: Context; close(): Promise<void> }> {
  const { databaseUrl: url, accounts, delegations, policy, publicCallers, clock, logger } = o;
  const pool = (use: string, max: number, statementTimeoutMs: number, sessionSettings: Record<string, string> = {}) =>
    createPool({ url, max, applicationName: `cadastre-objects-${use}`, statementTimeoutMs, sessionSettings });
  const readPool = pool('read', o.readConnections, readTimeoutMs, {
    ...lookupPlans,
    default_transaction_read_only: 'on',
  });
  const writePool = pool('write', o.writeConnections, writeTimeoutMs, lookupPlans);
  const loadPool = pool('load', maxLoads, 0, loadSettings);
  if (o.metrics) reportPools(o.metrics, [readPool, writePool, loadPool]);
  const changes = createChangeSignal({ url, logger });
  const close = async () => {
    await changes.stop();
    await Promise.all([readPool.end(), writePool.end(), loadPool.end()]);
  };
  try {
    const sources = await ensureSources(writePool, o.source, o.grsSources);
    await changes.start();
    const pools = { readPool, writePool, loadPool };
    return { context: { sources, ...pools, changes, accounts, delegations, policy, publicCallers, clock }, close };
  } catch (error) {
    await close();
    throw error;
  }
}
