import type { AnswerMemory } from '../answer-memory.js';
import type { Context } from '../context.js';
import type { Dialect } from '../dialect.js';
import type { SetIndex } from '../sets/set-index.js';
import { failure } from './answers.js';
import { type Command, withArgument } from './command.js';
import { objectByKey, objectsByMaintainer, routes } from './object-commands.js';
import { endFilter, quit, setAgent, setIdle, showVersion, stayOpen } from './session-commands.js';
import { excludeSets, members, prefixesByOrigin, prefixesOfSet } from './set-commands.js';
import { serials, sources, status } from './source-commands.js';

/** Answers IRRd-style commands: `!` and a letter, then an argument. */
export function irrdDialect(context: Context, index: SetIndex, memory: AnswerMemory): Dialect {
  const commands = commandsOf(context, index, memory);
  return (line, before, connection) => {
    const { idle } = before.irrd;
    const state = before.idle === idle ? before : { ...before, idle };
    if (line.includes('\0')) return { body: failure('Queries may not contain null bytes'), state };
    const letter = line.slice(1, 2);
    if (letter.trim() === '') return { body: failure('Missing IRRD command'), state };
    const command = commands.get(letter);
    if (command === undefined) return { body: failure(`Unrecognised command: ${letter}`), state };
    return command(line.slice(2).trimEnd(), state, connection);
  };
}

/** The commands by their letters. */
function commandsOf(context: Context, index: SetIndex, memory: AnswerMemory): ReadonlyMap<string, Command> {
  const alone: readonly (readonly [string, Command])[] = [
    ['!', stayOpen],
    ['q', quit],
    ['Q', quit],
    ['v', showVersion(context.version)],
    ['f', endFilter],
    ['F', endFilter],
    ['a', prefixesOfSet(index, memory)],
    ['e', excludeSets],
  ];
  const withArguments: readonly (readonly [string, Command])[] = [
    ['t', setIdle],
    ['n', setAgent],
    ['s', sources(index)],
    ['j', serials(index)],
    ['J', status(index, () => context.roa.current() !== undefined, context.sources.main)],
    ['g', prefixesByOrigin(index, 4, memory)],
    ['6', prefixesByOrigin(index, 6, memory)],
    ['i', members(index)],
    ['m', objectByKey(context)],
    ['o', objectsByMaintainer(context)],
    ['r', routes(context)],
  ];
  return new Map([
    ...alone,
    ...withArguments.map(([letter, command]) => [letter, withArgument(letter, command)] as const),
  ]);
}
