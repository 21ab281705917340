import { type Database, errorText, type Logger, type Service, ServiceError } from '@cadastre/service';
import type pg from 'pg';

/** The changes since the previous ones. */
export interface CredentialChanges {
  /** Accounts with changed or expired data that a caller may have cached. */
  readonly accountIds: readonly string[];
  readonly haveBlocksChanged: boolean;
}

/** Announces the changes that any replica commits, from `start` to `stop`. */
export interface CredentialSignal extends Service {
  /**
   * The changes from now on, at least one item (possibly without changes) every `beatMs`. The first item has the blocks
   * as changed. Throws a ServiceError (unavailable) as soon as a change may be lost.
   */
  follow(signal: AbortSignal): AsyncGenerator<CredentialChanges>;
}

export interface CredentialSignalOptions {
  readonly database: Database;
  readonly logger: Logger;
  /** Time between two heartbeats; default 1 s. */
  readonly beatMs?: number | undefined;
}

/** Maximum changes that wait for one follower. A slower one must start again. */
const maxWaiting = 1_000;

interface Follower {
  readonly accountIds: Set<string>;
  haveBlocksChanged: boolean;
  isBroken: boolean;
  wake(): void;
}

/** Listens on its own connection. */
export function createCredentialSignal({
  database,
  logger,
  beatMs = 1_000,
}: CredentialSignalOptions): CredentialSignal {
  const followers = new Set<Follower>();
  let isListening = false;

  const wakeAll = (change: (follower: Follower) => void) => {
    for (const follower of followers) {
      change(follower);
      if (follower.accountIds.size > maxWaiting) follower.isBroken = true;
      follower.wake();
    }
  };
  const hear = ({ channel, payload = '' }: pg.Notification) =>
    wakeAll((follower) => {
      if (channel === 'auth_block_change') follower.haveBlocksChanged = true;
      else follower.accountIds.add(payload);
    });

  const listener = database.listen({
    applicationName: 'cadastre auth changes',
    channels: ['auth_credential_change', 'auth_block_change'],
    prepare: requireTriggers,
    hear,
    beatMs,
    onProof() {
      isListening = true;
      wakeAll(() => {});
    },
    onLoss() {
      isListening = false;
      wakeAll((follower) => {
        follower.isBroken = true;
      });
    },
    onFailure: (error) => logger.warn({ reason: errorText(error) }, 'cannot listen for changes of credentials'),
  });

  return {
    ...listener,
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
          if (follower.isBroken) throw new ServiceError('unavailable', 'Changes of credentials are not received');
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

/** Without the triggers of the migration no change would be announced, and nothing may be cached. */
async function requireTriggers(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ present: boolean }>(
    "select to_regproc('tell_credential_change') is not null as present",
  );
  if (!rows[0]?.present) throw new Error('the schema is that of the release before');
}
