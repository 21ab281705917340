import type { IrrdContext } from '../context.js';
import type { Dialect } from '../dialect.js';
import { type Command, denied, failure, type SetParts, silent, withArgument } from './answers.js';
import { objectByKey, objectsByMaintainer, routes } from './object-commands.js';
import { createAgentLog, endFilter, quit, setAgent, setIdle, showVersion, stayOpen } from './session-commands.js';
import { excludeSets, members, prefixesByOrigin, prefixesOfSet } from './set-commands.js';
import { createMirrorStates, serials, sources, status } from './source-commands.js';

/**
 * Answers IRRd-style commands: `!` and a letter, then an argument. An empty line has no answer; a blocked client gets
 * `denied`, and its connection closes.
 */
export function irrdDialect(context: IrrdContext, parts: SetParts): Dialect {
  const { limiter } = context;
  const commands = commandsOf(context, parts);
  return (line, before, connection) => {
    const { idle } = before.irrd;
    const state = before.idle === idle ? before : { ...before, idle };
    if (limiter.checkBlocked(limiter.clients.atAddress(connection.client)) !== undefined) {
      return { body: denied, state: { ...state, staysOpen: false } };
    }
    if (line.trim() === '') return silent(state);
    if (line.includes('\0')) return { body: failure('Queries may not contain null bytes'), state };
    const letter = line.slice(1, 2);
    if (letter.trim() === '') return { body: failure('Missing IRRD command'), state };
    const command = commands.get(letter);
    if (command === undefined) return { body: failure(`Unrecognised command: ${letter}`), state };
    return command(line.slice(2).trimEnd(), state, connection);
  };
}

/** The commands by their letters. */
function commandsOf(context: IrrdContext, parts: SetParts): ReadonlyMap<string, Command> {
  const { index } = parts;
  const mirrorStates = createMirrorStates(context.backends.mirrors, context.logger);
  const alone: readonly (readonly [string, Command])[] = [
    ['!', stayOpen],
    ['q', quit],
    ['Q', quit],
    ['v', showVersion(context.version)],
    ['f', endFilter],
    ['F', endFilter],
    ['a', prefixesOfSet(parts)],
    ['e', excludeSets],
  ];
  const withArguments: readonly (readonly [string, Command])[] = [
    ['t', setIdle],
    ['n', setAgent(createAgentLog(context.logger))],
    ['s', sources(index)],
    ['j', serials({ index, context })],
    ['J', status({ index, context, mirrorStates })],
    ['g', prefixesByOrigin(parts, 4)],
    ['6', prefixesByOrigin(parts, 6)],
    ['i', members(parts)],
    ['m', objectByKey(context, parts)],
    ['o', objectsByMaintainer(context, parts)],
    ['r', routes(context, parts)],
  ];
  return new Map([
    ...alone,
    ...withArguments.map(([letter, command]) => [letter, withArgument(letter, command)] as const),
  ]);
}
