import { setTimeout as pause } from 'node:timers/promises';
import { AuthenticationServiceService } from '@cadastre/proto/auth';
import type { Handlers } from '@cadastre/service';
import { inMemoryClient } from '@cadastre/service/testing';
import type { Backends } from '../src/context.js';

/** An auth service without blocks, unless a test says otherwise. */
export function authBackends(
  handlers: Partial<Handlers<typeof AuthenticationServiceService>> = {},
): Pick<Backends, 'auth'> {
  return {
    auth: inMemoryClient(AuthenticationServiceService, { watchCredentials: silence, ...handlers }),
  };
}

async function* silence(_request: unknown, { signal }: { signal: AbortSignal }) {
  yield { accountIds: [], blocks: undefined };
  await pause(2 ** 30, undefined, { signal }).catch(() => {});
}
