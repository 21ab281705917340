import { isIP } from 'node:net';
import { type AddressList, plainAddress } from '@cadastre/service';
import { type Dialect, nothing } from './dialect.js';
import type { NrtmDialect } from './nrtm/nrtm-dialect.js';
import { readNrtmLine } from './nrtm/request-line.js';

/** Old clients name themselves in front of every line, proxies also the address for which they ask. */
const commandAfterAgent = /^-V\s+[^\s,]*(?:,(\S*))?\s+(!.*)/s;

export interface Dialects {
  readonly irrd: Dialect;
  readonly nrtm: NrtmDialect;
  readonly ripe: Dialect;
  /** The proxies that may say for whom they ask (`-V tag,address`). */
  readonly proxies: AddressList;
}

/**
 * Gives lines that begin with `!` to the IRRd dialect, also after `-V AGENT`, requests for changes (`-g`) to that of NRTM,
 * and all others to the RIPE dialect. A command of a proxy counts for the address for which it asks.
 */
export function anyDialect({ irrd, nrtm, ripe, proxies }: Dialects): Dialect {
  return (line, state, connection) => {
    const [, address = '', after] = commandAfterAgent.exec(line) ?? [];
    const command = after ?? line;
    if (command.startsWith('!')) {
      const isNamed = isIP(address) !== 0 && proxies.includes(connection.client);
      return irrd(command, state, isNamed ? { ...connection, client: plainAddress(address) } : connection);
    }
    if (line.trim() === '' && state.irrd.isOpen) return { body: nothing, state };
    const changes = readNrtmLine(line);
    return changes === undefined ? ripe(line, state, connection) : nrtm(changes, state, connection);
  };
}
