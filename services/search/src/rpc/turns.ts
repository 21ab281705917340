import type { Call, ClientTurns } from '@cadastre/service';
import type { Context } from '../context.js';

/** A request that names the client for whom another service asks; without one the caller is the client. */
interface ForClient {
  readonly client: string;
}

/** The turns of one request. */
export function turnsOf({ turns }: Pick<Context, 'turns'>, request: ForClient, call: Call): ClientTurns {
  return turns.of(clientOf(request, call), call.signal);
}

/** The client of a request. */
export function clientOf({ client }: ForClient, call: Call): string {
  return client || call.caller;
}
