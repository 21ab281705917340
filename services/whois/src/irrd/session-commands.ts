import type { Logger } from '@cadastre/service';
import type { ConnectionState } from '../dialect.js';
import { type Command, data, done, failure, silent } from './answers.js';

/** `!!`: keeps the connection open. */
export const stayOpen: Command = (_argument, state) =>
  silent({ ...state, staysOpen: true, irrd: { ...state.irrd, isOpen: true } });

/** `!q`: closes the connection. */
export const quit: Command = (_argument, state) => silent({ ...state, staysOpen: false });

/** `!v`: irrtoolset reads the digits after "version", and needs 2.2 at least. */
export function showVersion(version: string): Command {
  return (_argument, state) => ({ body: data(`IRRd -- version 4.5 (Cadastre ${version})`), state });
}

const maxIdleSeconds = 1_000;

/** `!t30`: the maximum silence of the client in seconds. */
export const setIdle: Command = (argument, state) => {
  const seconds = /^\s*\+?\d+\s*$/.test(argument) ? Number(argument) : 0;
  if (seconds < 1 || seconds > maxIdleSeconds) {
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

/** Notes the name that a client gives its program. */
type NoteAgent = (client: string, agent: string) => void;

/** Maximum characters of a name in the log: bgpq4 sends 9. */
const maxLength = 60;

/** Maximum events of all clients in a minute: anyone may name any programs. */
const maxPerMinute = 60;
const minuteMs = 60_000;

/** Makes the log of client programs. A minute with more names has an event with the number of the others. */
export function createAgentLog(logger: Logger, now: () => number = Date.now): NoteAgent {
  let minute = 0;
  let noted = 0;
  return (client, agent) => {
    const current = Math.floor(now() / minuteMs);
    if (current !== minute) {
      if (noted > maxPerMinute) logger.info({ count: noted - maxPerMinute }, 'further client programs');
      minute = current;
      noted = 0;
    }
    if (++noted > maxPerMinute) return;
    logger.info({ client, agent: readable(agent) }, 'client program');
  };
}

/** A name without characters that a log or a terminal could take for something else. */
function readable(agent: string): string {
  return agent.slice(0, maxLength).replace(/[^\x20-\x7e]/g, '?');
}
