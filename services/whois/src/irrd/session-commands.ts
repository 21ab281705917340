import type { ConnectionState } from '../dialect.js';
import type { NoteAgent } from './agent-log.js';
import { data, done, failure } from './answers.js';
import { type Command, silent } from './command.js';

/** `!!`: keeps the connection open. */
export const stayOpen: Command = (_argument, state) =>
  silent({ ...state, staysOpen: true, irrd: { ...state.irrd, isOpen: true } });

/** `!q`: closes the connection. */
export const quit: Command = (_argument, state) => silent({ ...state, staysOpen: false });

/** `!v`: irrtoolset reads the digits after "version", and needs 2.2 at least. */
export function showVersion(version: string): Command {
  return (_argument, state) => ({ body: data(`IRRd -- version 4.5 (Cadastre ${version})`), state });
}

const longestIdleSeconds = 1_000;

/** `!t30`: the maximum silence of the client in seconds. */
export const setIdle: Command = (argument, state) => {
  const seconds = /^\s*\+?\d+\s*$/.test(argument) ? Number(argument) : 0;
  if (seconds < 1 || seconds > longestIdleSeconds) {
    return { body: failure(`Invalid value for timeout: ${argument}`), state };
  }
  const idle = { ms: seconds * 1_000 };
  return { body: done, state: { ...state, idle, irrd: { ...state.irrd, idle } } };
};

/** `!nNAME`: the name of the client program; the first one of a connection is logged. */
export function setAgent(note: NoteAgent): Command {
  return (agent, state, { client }) => {
    if (state.irrd.isNamed) return { body: done, state };
    note(client, agent);
    return { body: done, state: { ...state, irrd: { ...state.irrd, isNamed: true } } };
  };
}

/** By name: what a filter hides, and the state without it. */
const filters: Readonly<
  Record<string, { readonly what: string; readonly off: (state: ConnectionState) => ConnectionState }>
> = {
  'no-rpki-filter': {
    what: 'RPKI invalids',
    off: (state) => ({ ...state, irrd: { ...state.irrd, showsInvalid: true } }),
  },
  'no-scope-filter': { what: 'out-of-scope objects', off: (state) => state },
  'no-route-preference-filter': { what: 'objects suppressed due to route preference', off: (state) => state },
};

/** `!fno-rpki-filter`: shows what a filter hides. This registry has only the filter by ROAs. */
export const endFilter: Command = (argument, state) => {
  const filter = filters[argument.toLowerCase()];
  if (filter === undefined) return { body: failure('Unrecognised command: f'), state };
  const text = `Filtering out ${filter.what} is disabled for !r and RIPE style queries for the rest of this connection.`;
  return { body: data(text), state: filter.off(state) };
};
