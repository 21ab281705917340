import type { Account } from '@cadastre/proto/auth';
import type { Call, Logger } from '@cadastre/service';
import type pg from 'pg';
import type { ChangeSignal } from './store/change-signal.js';
import type { Sources } from './store/sources.js';

/** Knows the accounts that `auth: SSO` lines name. */
export interface Accounts {
  /** The accounts of these names by lower-case name; unknown ones are left out. Throws when it cannot be told. */
  resolve(names: readonly string[], call: Call): Promise<Map<string, Account>>;
}

/** What the RPC handlers work with; wired in service.ts. */
export interface Context {
  readonly sources: Sources;
  /** For single statements that only read; planned for lookups by key. */
  readonly readPool: pg.Pool;
  /** For single transactions of writes. */
  readonly writePool: pg.Pool;
  /** For bulk loads: no time limit, one connection each. */
  readonly loadPool: pg.Pool;
  readonly changes: ChangeSignal;
  readonly accounts: Accounts;
  /** Common names of the callers that pass on to the public what they read. */
  readonly publicCallers: readonly string[];
  readonly clock: () => Date;
  readonly logger: Logger;
}
