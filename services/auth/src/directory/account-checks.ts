import { setTimeout as delay } from 'node:timers/promises';
import { errorText, keepTryingService, type Logger, type Metrics, type Service } from '@cadastre/service';
import type { Pool } from 'pg';
import { Counter } from 'prom-client';
import { markInactive, rememberAccount, scheduleCheck, takeDueAccounts } from '../store/accounts.js';
import type { Directory } from './directory.js';

interface AccountChecksOptions {
  pool: Pool;
  /** The identity provider itself, without cached or stored accounts. */
  directory: Directory;
  now: () => Date;
  logger: Logger;
  metrics: Metrics;
  /** Time between two rounds, and after a failed one; for tests. */
  roundMs?: number | undefined;
}

/** How often to check an account that has a usable key or session. */
const intervalMs = 15 * 60_000;
const usualRoundMs = 5000;
/** Together with the duration of a round it bounds the rate of requests: 10 a second from each replica. */
const accountsPerRound = 50;
const maxConcurrent = 4;
/** When to check an account again after the identity provider failed to answer, and when to start the next round. */
const retryMs = 60_000;

/**
 * Checks with the identity provider that the accounts with keys or sessions are still active; keys and sessions of
 * other accounts are refused. A failure changes nothing. The replicas share the work through the database.
 */
export function accountChecks(o: AccountChecksOptions): Service {
  const checked = new Counter({
    name: 'cadastre_account_checks_total',
    help: 'Accounts checked with the identity provider in the background.',
    labelNames: ['result'],
    registers: [o.metrics],
  });
  const checkOne = async (id: string) => checked.inc({ result: await check(o, id) });
  const pauseMs = o.roundMs ?? retryMs;
  return keepTryingService({
    async work(signal) {
      const now = o.now();
      const ids = await takeDueAccounts(o.pool, { max: accountsPerRound, now, leasedUntil: later(now, retryMs) });
      for (let next = 0; next < ids.length && !signal.aborted; next += maxConcurrent) {
        await Promise.all(ids.slice(next, next + maxConcurrent).map(checkOne));
      }
      await delay(o.roundMs ?? usualRoundMs, undefined, { signal });
    },
    onFailure(error) {
      checked.inc({ result: 'failed' });
      o.logger.warn({ reason: errorText(error) }, 'cannot check accounts');
    },
    pauses: { firstMs: pauseMs, maxMs: pauseMs },
  });
}

async function check({ pool, directory, now, logger }: AccountChecksOptions, id: string): Promise<string> {
  const account = await directory.byId(id);
  const time = now();
  if (account) await rememberAccount(pool, account, time);
  else if (await markInactive(pool, id, time)) {
    logger.warn({ accountId: id }, 'account is deleted or inactive: refusing its keys and sessions');
  }
  await scheduleCheck(pool, id, later(time, intervalMs));
  return account ? 'active' : 'inactive';
}

function later(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}
