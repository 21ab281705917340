import type { AnswerMemory, ExpansionPlaces, LoopTurns } from '@cadastre/service';
import { type Answer, type Connection, type ConnectionState, nothing } from '../dialect.js';
import type { Selection } from '../sets/expansion.js';
import type { RoaRoutes } from '../sets/roa-routes.js';
import type { SetIndex } from '../sets/set-index.js';
import { pausing } from '../turns.js';
import { failure } from './answers.js';

/** Answers a command; `argument` is what follows its letter. */
export type Command = (argument: string, state: ConnectionState, connection: Connection) => Answer | Promise<Answer>;

/** The dependencies of the commands about sets and prefixes. */
export interface SetParts {
  readonly index: SetIndex;
  /** The routes of `Context.roaSource`, which the index has, too. */
  readonly roaRoutes: RoaRoutes | undefined;
  readonly memory: AnswerMemory;
  readonly places: ExpansionPlaces;
  /** The identifier of the client at an address. */
  clientOf(address: string): string;
  readonly turns: LoopTurns;
  /** Maximum members of all sets of an expansion. */
  readonly maxMembers: number;
}

/** The search scope that a connection has chosen. */
export function selectionOf(
  { index, turns, maxMembers }: SetParts,
  { irrd: { sources, excludedSets } }: ConnectionState,
  { network, signal }: Connection,
): Selection {
  return {
    index,
    sources: index.resolve(sources),
    excluded: excludedSets,
    maxMembers,
    pause: pausing(turns, network, signal),
  };
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
