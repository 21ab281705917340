import type { AuthenticationServiceService, WatchCredentialsResponse } from '@cadastre/proto/auth';
import {
  keepTryingService,
  type Logger,
  logStreamFailure,
  type RpcClient,
  type Service,
  ServiceError,
  toServiceError,
  unlessSilent,
} from '@cadastre/service';
import type { BlockList } from './blocked-networks.js';

/** Receives changes of credentials. */
export interface CredentialWatcher {
  /** The credentials of an account have changed: drops its cached identities. */
  forgetAccount(accountId: string): void;
  /** Whether the auth service reports changes. */
  setFollowed(isFollowed: boolean): void;
}

export interface CredentialFollowerOptions {
  readonly auth: Pick<RpcClient<typeof AuthenticationServiceService>, 'watchCredentials'>;
  /** Absent in a service that accepts no credentials. */
  readonly identities?: CredentialWatcher;
  readonly blockList: BlockList;
  readonly logger: Logger;
  /** A stream that is silent for longer counts as broken; its heartbeat comes every second. */
  readonly silenceMs: number;
}

/**
 * Follows changes of credentials and of the operator's blocks, from `start` to `stop` (ADR 0027). While the stream is
 * broken, no identity is cached, and the known blocks stay in use.
 */
export function createCredentialFollower(o: CredentialFollowerOptions): Service {
  return keepTryingService({
    work: (signal, succeeded) => follow(o, succeeded, signal),
    onFailure(error, _pauseMs, failures) {
      const facts = { reason: toServiceError(error).kind };
      const broken = 'no changes of credentials and blocks';
      logStreamFailure(o.logger, { failures, facts, stream: 'stream of credentials and blocks', broken });
    },
  });
}

async function follow(o: CredentialFollowerOptions, onMessage: () => void, stopping: AbortSignal): Promise<void> {
  const open = (signal: AbortSignal) => o.auth.watchCredentials({}, { signal, deadlineMs: Number.POSITIVE_INFINITY });
  try {
    for await (const message of unlessSilent(open, stopping, o.silenceMs)) {
      apply(o, message);
      onMessage();
    }
  } finally {
    o.identities?.setFollowed(false);
    o.blockList.setFollowed(false);
  }
  throw new ServiceError('unavailable', 'The stream of changes ended');
}

function apply({ identities, blockList }: CredentialFollowerOptions, message: WatchCredentialsResponse): void {
  for (const accountId of message.accountIds) identities?.forgetAccount(accountId);
  if (message.blocks) blockList.replace(message.blocks.blocks);
  identities?.setFollowed(true);
  blockList.setFollowed(true);
}
