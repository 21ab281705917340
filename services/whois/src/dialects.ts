import { type Dialect, nothing } from './dialect.js';

/** Old clients name themselves in front of every line. */
const commandAfterAgent = /^-V\s+\S+\s+(?=!)/;

/** Gives lines that begin with `!` to the IRRd dialect, also after `-V AGENT`, and all others to the RIPE dialect. */
export function eitherDialect({ irrd, ripe }: { readonly irrd: Dialect; readonly ripe: Dialect }): Dialect {
  return (line, state, connection) => {
    const command = line.replace(commandAfterAgent, '');
    if (command.startsWith('!')) return irrd(command, state, connection);
    if (line.trim() === '' && state.irrd.isOpen) return { body: nothing, state };
    return ripe(line, state, connection);
  };
}
