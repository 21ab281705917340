import { unifiedDifference } from '@cadastre/rpsl';
import type { Command } from 'commander';
import type { Run } from '../action.js';
import { CommandFailure } from '../failure.js';
import { type Io, note, say } from '../io.js';
import { openRegistry, overRest, type RegistryOptions } from '../rest/registry.js';
import { parseRevision } from './history.js';
import { parseKey } from './object-name.js';

/** Adds `cadastre diff`. */
export function addDiffCommand(program: Command, io: Io, run: Run): void {
  overRest(io, program.command('diff'))
    .description('Print the difference of two versions of an object (see login, history list).')
    .argument('<object>', 'as type/key')
    .argument('[from]', 'number of the older version (default: the one before the newer)', parseRevision)
    .argument('[to]', 'number of the newer version (default: the newest)', parseRevision)
    .action(
      run((object: string, from: number | undefined, to: number | undefined, options: RegistryOptions) =>
        diff(io, object, from, to, options),
      ),
    );
}

async function diff(
  io: Io,
  object: string,
  from: number | undefined,
  to: number | undefined,
  options: RegistryOptions,
): Promise<void> {
  const registry = openRegistry(io, options);
  const { source, type, key } = parseKey(registry.source, object);
  const path = [source, type, key, 'versions'];
  const { versions } = await registry.json(path);
  // A deletion has a number, but no text.
  const numbers = (versions?.version ?? [])
    .filter(({ operation }) => operation !== 'DEL')
    .map(({ revision }) => revision);
  const newer = to ?? numbers.at(-1);
  const older = from ?? numbers.findLast((number) => number < (newer ?? 0));
  if (newer === undefined || older === undefined) throw new CommandFailure(`${object} has no version before its first`);
  const textOf = (version: number) => registry.text([...path, String(version)]);
  const difference = unifiedDifference(await textOf(older), await textOf(newer));
  if (difference === '') return note(io, `Versions ${older} and ${newer} are equal.`);
  say(io, `--- ${object} version ${older}\n+++ ${object} version ${newer}\n${difference.trimEnd()}`);
}
