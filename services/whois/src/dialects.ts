import { isIP } from 'node:net';
import { type AddressList, plainAddress } from '@cadastre/service';
import { type Dialect, nothing } from './dialect.js';

/** Old clients name themselves in front of every line, proxies also the address for which they ask. */
const commandAfterAgent = /^-V\s+[^\s,]*(?:,(\S*))?\s+(!.*)/s;

interface Dialects {
  readonly irrd: Dialect;
  readonly ripe: Dialect;
  /** The proxies that may say for whom they ask (`-V tag,address`). */
  readonly proxies: AddressList;
}

/**
 * Gives lines that begin with `!` to the IRRd dialect, also after `-V AGENT`, and all others to the RIPE dialect. A command
 * of a proxy counts for the address for which it asks.
 */
export function eitherDialect({ irrd, ripe, proxies }: Dialects): Dialect {
  return (line, state, connection) => {
    const [, address = '', after] = commandAfterAgent.exec(line) ?? [];
    const command = after ?? line;
    if (command.startsWith('!')) {
      const isNamed = isIP(address) !== 0 && proxies.includes(connection.client);
      return irrd(command, state, isNamed ? { ...connection, client: plainAddress(address) } : connection);
    }
    if (line.trim() === '' && state.irrd.isOpen) return { body: nothing, state };
    return ripe(line, state, connection);
  };
}
