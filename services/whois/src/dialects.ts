import { isIP } from 'node:net';
import { type Limiter, networksOf } from '@cadastre/limits';
import { type AddressList, plainAddress } from '@cadastre/service';
import type { Answer, Connection, Dialect } from './dialect.js';
import { isFailure } from './irrd/answers.js';
import { untilAllowed } from './limits.js';
import { type NrtmDialect, readNrtmLine } from './nrtm/nrtm-dialect.js';

/**
 * Old clients send their name before every line, proxies also the address of their client. There is only one way to
 * match the blanks, so a line of blanks takes linear time.
 */
const commandAfterAgent = /^-V\s+(?=\S)[^\s,]*(?:,(\S*))?\s+(!.*)/s;

/** An IRRd-style command, and the address for which a proxy sends it. */
interface IrrdLine {
  readonly command: string;
  readonly address: string;
}

/** Reads a line that begins with `!`, also after `-V AGENT`; undefined for any other. */
export function readIrrdLine(line: string): IrrdLine | undefined {
  if (line.startsWith('!')) return { command: line, address: '' };
  const [, address = '', command] = commandAfterAgent.exec(line) ?? [];
  return command === undefined ? undefined : { command, address };
}

/** Passes requests for changes (`-g`) to the dialect of NRTM, and all other lines to the RIPE dialect. */
export function queryDialect(nrtm: NrtmDialect, ripe: Dialect): Dialect {
  return (line, state, connection) => {
    const changes = readNrtmLine(line);
    return changes === undefined ? ripe(line, state, connection) : nrtm(changes, state, connection);
  };
}

export interface Dialects {
  readonly irrd: Dialect;
  /** Answers the lines that are not IRRd-style commands. */
  readonly queries: Dialect;
  /** The proxies that may name their client (`-V tag,address`). */
  readonly proxies: AddressList;
  readonly limiter: Limiter;
}

/**
 * Passes IRRd-style commands to their dialect, and empty lines once it is in use, and all others to `queries`. A
 * command of a proxy counts for the address of its client.
 * Every line counts as one of the `queries` of its client, and waits when the rate is exceeded. Only IRRd-style
 * commands with an answer do not count on a connection that `!!` keeps open, because clients send thousands of them in
 * a row; one without an answer, or with a wrong argument, does, and one that has a connection of its own.
 */
export function anyDialect({ irrd, queries, proxies, limiter }: Dialects): Dialect {
  const counted = async (answer: Answer, { client, signal }: Connection) => {
    await untilAllowed(limiter, limiter.clients.atAddress(client), ['queries'], signal);
    return answer;
  };
  return (line, state, connection) => {
    const isSilent = state.irrd.isOpen && line.trim() === '';
    const read = isSilent ? { command: line, address: '' } : readIrrdLine(line);
    if (read === undefined) return queries(line, state, connection);
    const { command, address } = read;
    const isNamed = isIP(address) !== 0 && proxies.includes(connection.client);
    const client = isNamed ? plainAddress(address) : connection.client;
    const asking = isNamed ? { ...connection, client, network: networksOf(client).prefix } : connection;
    const countIfNeeded = (answer: Answer) =>
      !state.irrd.isOpen || isUseless(answer) ? counted(answer, asking) : answer;
    const answer = irrd(command, state, asking);
    return answer instanceof Promise ? answer.then(countIfNeeded) : countIfNeeded(answer);
  };
}

/** Whether an answer is empty or a failure. */
function isUseless({ body }: Answer): boolean {
  return Buffer.isBuffer(body) && (body.length === 0 || isFailure(body));
}
