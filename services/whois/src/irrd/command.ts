import { type Answer, type Connection, type ConnectionState, nothing } from '../dialect.js';
import type { Selection } from '../sets/expansion.js';
import type { SetIndex } from '../sets/set-index.js';
import { failure } from './answers.js';

/** Answers a command; `argument` is what follows its letter. */
export type Command = (argument: string, state: ConnectionState, connection: Connection) => Answer | Promise<Answer>;

/** What a connection has chosen to search. */
export function selectionOf(index: SetIndex, { irrd: { sources, excludedSets } }: ConnectionState): Selection {
  return { index, sources, excluded: excludedSets };
}

/** A command that needs an argument. */
export function withArgument(letter: string, command: Command): Command {
  return (argument, state, connection) =>
    argument === ''
      ? { body: failure(`Missing parameter for ${letter} query`), state }
      : command(argument, state, connection);
}

/** No answer at all. */
export function silent(state: ConnectionState): Answer {
  return { body: nothing, state };
}
