import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { AccountServiceService } from '@cadastre/proto/auth';
import { ObjectReaderServiceService } from '@cadastre/proto/objects';
import { SearchServiceService } from '@cadastre/proto/search';
import { connect, type ServiceDefinition, ServiceError } from '@cadastre/service';

const pollMs = 50;

/** Resolves when a service works; rejects while it does not. */
export type ReadyCheck = () => Promise<void>;

/** Calls that reach the dependencies of each service. */
export const readyChecks = {
  objects: (address: string): ReadyCheck =>
    callCheck(address, ObjectReaderServiceService, (reader, options) => reader.listSources({}, options)),
  auth: (address: string): ReadyCheck =>
    callCheck(address, AccountServiceService, (accounts, options) =>
      accounts.resolveAccounts({ names: ['alice@example.net'], ids: [] }, options),
    ),
  search: (address: string): ReadyCheck =>
    callCheck(address, SearchServiceService, (search, options) => search.getIndexStatus({}, options)),
  /** These are ready before the services that they call. */
  events: listenCheck,
  whois: listenCheck,
  mirror: listenCheck,
};

/** Ready when the service listens on its unix socket. */
function listenCheck(address: string): ReadyCheck {
  return async () => {
    const socket = createConnection(address.slice('unix:'.length));
    await once(socket, 'connect').finally(() => socket.destroy());
  };
}

/** Ready when the call returns; an error of the request also shows that the service works. */
function callCheck<D extends ServiceDefinition>(
  address: string,
  definition: D,
  call: (client: ReturnType<typeof connect<D>>, options: { deadlineMs: number }) => Promise<unknown>,
): ReadyCheck {
  return async () => {
    if (address.startsWith('unix:') && !existsSync(address.slice('unix:'.length)))
      throw new Error('does not listen yet');
    using client = connect(definition, { address, deadlineMs: 2_000, retries: false });
    try {
      await call(client, { deadlineMs: 2_000 });
    } catch (error) {
      if (!(error instanceof ServiceError) || isFailure(error)) throw error;
    }
  };
}

function isFailure({ kind }: ServiceError): boolean {
  return kind === 'unavailable' || kind === 'timeout' || kind === 'internal';
}

/** Ready when the address answers HTTP requests. */
export function httpCheck(url: string): ReadyCheck {
  return async () => {
    // Not `fetch`, whose code takes a tenth of a second to load.
    const request = get(url, { agent: false, signal: AbortSignal.timeout(2_000) });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    if (response.statusCode! >= 500) throw new Error(`returns status ${response.statusCode}`);
  };
}

/** Polls until ready. Rejects with the last reason after the timeout, or when the signal is aborted. */
export async function waitUntilReady(check: ReadyCheck, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const giveUp = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (signal.aborted || performance.now() > giveUp) throw error;
    }
    await sleep(pollMs);
  }
}
