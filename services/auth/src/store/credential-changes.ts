import { setTimeout as delay } from 'node:timers/promises';
import { errorText, keepTryingService, type Logger, type Service, ServiceError } from '@cadastre/service';
import pg from 'pg';

/** What changed since the changes before. */
export interface CredentialChanges {
  /** Accounts of which something changed or ended that a caller may keep. */
  readonly accountIds: readonly string[];
  readonly haveBlocksChanged: boolean;
}

/** Hears of the changes that any replica commits, from `start` to `stop`. */
export interface CredentialSignal extends Service {
  /**
   * The changes from now on, at least one item (perhaps without changes) every `beatMs`. The first item has the blocks
   * as changed. Throws a ServiceError (unavailable) as soon as a change may be lost.
   */
  follow(signal: AbortSignal): AsyncGenerator<CredentialChanges>;
}

export interface CredentialSignalOptions {
  readonly url: string;
  readonly logger: Logger;
  /** Time between two proofs that the connection still works; default 1 s. */
  readonly beatMs?: number | undefined;
}

/** Longest wait for an answer of the database; past it the connection counts as broken. */
const answerMs = 2_000;
/** Changes that wait for one follower. One that reads so slowly starts anew. */
const mostWaiting = 1_000;

interface Follower {
  readonly accountIds: Set<string>;
  haveBlocksChanged: boolean;
  isBroken: boolean;
  wake(): void;
}

/**
 * Listens on its own connection, and asks it for an answer every `beatMs`: PostgreSQL sends notifications before the
 * answer to a later statement, so each answer proves that none is missing.
 */
export function createCredentialSignal({ url, logger, beatMs = 1_000 }: CredentialSignalOptions): CredentialSignal {
  const followers = new Set<Follower>();
  let isListening = false;

  const wakeAll = (change: (follower: Follower) => void) => {
    for (const follower of followers) {
      change(follower);
      if (follower.accountIds.size > mostWaiting) follower.isBroken = true;
      follower.wake();
    }
  };
  const hear = ({ channel, payload = '' }: pg.Notification) =>
    wakeAll((follower) => {
      if (channel === 'auth_block_change') follower.haveBlocksChanged = true;
      else follower.accountIds.add(payload);
    });

  const service = keepTryingService({
    async work(signal, succeeded) {
      const client = new pg.Client({
        connectionString: url,
        application_name: 'cadastre auth changes',
        keepAlive: true,
        connectionTimeoutMillis: answerMs,
        query_timeout: answerMs,
      });
      const ended = Promise.withResolvers<never>();
      ended.promise.catch(() => {}); // Whoever races with it handles it.
      client.on('error', ended.reject);
      client.on('end', () => ended.reject(new Error('the connection ended')));
      client.on('notification', hear);
      try {
        await client.connect();
        await requireTriggers(client);
        await client.query('listen auth_credential_change');
        await client.query('listen auth_block_change');
        isListening = true;
        while (!signal.aborted) {
          await client.query('select 1');
          succeeded();
          wakeAll(() => {});
          await Promise.race([delay(beatMs, undefined, { signal }), ended.promise]);
        }
      } finally {
        isListening = false;
        wakeAll((follower) => {
          follower.isBroken = true;
        });
        client.end().catch(() => {});
      }
    },
    onFailure: (error) => logger.warn({ reason: errorText(error) }, 'cannot listen for changes of credentials'),
  });

  return {
    ...service,
    async *follow(signal) {
      let next = Promise.withResolvers<void>();
      const follower: Follower = {
        accountIds: new Set(),
        haveBlocksChanged: true,
        isBroken: !isListening,
        wake: () => next.resolve(),
      };
      followers.add(follower);
      signal.addEventListener('abort', follower.wake);
      follower.wake();
      try {
        for (;;) {
          await next.promise;
          next = Promise.withResolvers();
          if (signal.aborted) return;
          if (follower.isBroken) throw new ServiceError('unavailable', 'Changes of credentials are not heard');
          const changes = { accountIds: [...follower.accountIds], haveBlocksChanged: follower.haveBlocksChanged };
          follower.accountIds.clear();
          follower.haveBlocksChanged = false;
          yield changes;
        }
      } finally {
        followers.delete(follower);
        signal.removeEventListener('abort', follower.wake);
      }
    },
  };
}

/** Without the triggers of the migration nothing would be heard, and nothing may be kept. */
async function requireTriggers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ present: boolean }>(
    "select to_regproc('tell_credential_change') is not null as present",
  );
  if (!rows[0]?.present) throw new Error('the schema is that of the release before');
}
