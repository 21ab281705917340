import { type Dialect, nothing } from './dialect.js';
import type { NrtmDialect } from './nrtm/nrtm-dialect.js';
import { readNrtmLine } from './nrtm/request-line.js';

/** Old clients name themselves in front of every line. */
const commandAfterAgent = /^-V\s+\S+\s+(?=!)/;

export interface Dialects {
  readonly irrd: Dialect;
  readonly nrtm: NrtmDialect;
  readonly ripe: Dialect;
}

/**
 * Gives lines that begin with `!` to the IRRd dialect, also after `-V AGENT`, requests for changes (`-g`) to that of NRTM,
 * and all others to the RIPE dialect.
 */
export function anyDialect({ irrd, nrtm, ripe }: Dialects): Dialect {
  return (line, state, connection) => {
    const command = line.replace(commandAfterAgent, '');
    if (command.startsWith('!')) return irrd(command, state, connection);
    if (line.trim() === '' && state.irrd.isOpen) return { body: nothing, state };
    const changes = readNrtmLine(line);
    return changes === undefined ? ripe(line, state, connection) : nrtm(changes, state, connection);
  };
}
