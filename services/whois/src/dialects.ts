import { isIP } from 'node:net';
import type { Limiter } from '@cadastre/limits';
import { type AddressList, plainAddress } from '@cadastre/service';
import type { Answer, Connection, Dialect } from './dialect.js';
import { isFailure } from './irrd/answers.js';
import { untilAllowed } from './limits.js';
import type { NrtmDialect } from './nrtm/nrtm-dialect.js';
import { readNrtmLine } from './nrtm/request-line.js';

/**
 * Old clients name themselves in front of every line, proxies also the address for which they ask. Blanks are read in one
 * way only, so a line of blanks takes linear time.
 */
const commandAfterAgent = /^-V\s+(?=\S)[^\s,]*(?:,(\S*))?\s+(!.*)/s;

export interface Dialects {
  readonly irrd: Dialect;
  readonly nrtm: NrtmDialect;
  readonly ripe: Dialect;
  /** The proxies that may say for whom they ask (`-V tag,address`). */
  readonly proxies: AddressList;
  readonly limiter: Limiter;
}

/**
 * Gives lines that begin with `!` to the IRRd dialect, also after `-V AGENT`, and empty ones once it is in use, requests
 * for changes (`-g`) to that of NRTM, and all others to the RIPE dialect. A command of a proxy counts for the address for
 * which it asks.
 *
 * Every line is one of the `queries` of its client, and waits beyond their rate. Only IRRd-style commands with an answer
 * are none, because clients send thousands of them at once; one without an answer, or with a wrong argument, is.
 */
export function anyDialect({ irrd, nrtm, ripe, proxies, limiter }: Dialects): Dialect {
  const counted = async (answer: Answer, { client, signal }: Connection) => {
    await untilAllowed(limiter, limiter.clients.atAddress(client), ['queries'], signal);
    return answer;
  };
  return (line, state, connection) => {
    const [, address = '', after] = commandAfterAgent.exec(line) ?? [];
    const command = after ?? line;
    if (command.startsWith('!') || (state.irrd.isOpen && command.trim() === '')) {
      const isNamed = isIP(address) !== 0 && proxies.includes(connection.client);
      const asking = isNamed ? { ...connection, client: plainAddress(address) } : connection;
      const answer = irrd(command, state, asking);
      return isUseless(answer) ? counted(answer, asking) : answer;
    }
    const changes = readNrtmLine(line);
    return changes === undefined ? ripe(line, state, connection) : nrtm(changes, state, connection);
  };
}

/** Whether an answer is empty or a failure; what comes later or in pieces is neither. */
function isUseless(answer: Answer | Promise<Answer>): answer is Answer {
  return 'body' in answer && Buffer.isBuffer(answer.body) && (answer.body.length === 0 || isFailure(answer.body));
}
