import { type Answer, type Connection, type ConnectionState, nothing } from '../dialect.js';
import type { SetTools } from '../sets/expansion.js';
import type { RoaRoutes } from '../sets/roa-routes.js';
import { failure } from './answers.js';

/** Answers a command; `argument` is what follows its letter. */
export type Command = (argument: string, state: ConnectionState, connection: Connection) => Answer | Promise<Answer>;

/** The dependencies of the commands about sets and prefixes. */
export interface SetParts extends SetTools {
  /** The routes of `Context.roaSource`, which the index has, too. */
  readonly roaRoutes: RoaRoutes | undefined;
  /** The identifier of the client at an address. */
  clientOf(address: string): string;
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
