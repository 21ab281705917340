import type { WhoisObject } from '@cadastre/client';
import type { Command } from 'commander';
import type { Run } from '../action.js';
import { CommandFailure } from '../failure.js';
import type { ExitCode, Io } from '../io.js';
import { openRegistry, overRest, type RegistryOptions } from '../rest/registry.js';
import { type NamedObject, writeBatches } from '../rest/write-batches.js';
import { parseKey } from './object-name.js';

interface DeleteOptions extends RegistryOptions {
  readonly reason?: string;
  readonly dryRun?: true;
}

/** Adds `cadastre delete`. */
export function addDeleteCommand(program: Command, io: Io, run: Run): void {
  overRest(io, program.command('delete'))
    .description('Delete objects of a registry (see login), up to 100 of them all or none.')
    .argument('<object...>', 'as type/key, for example route/192.0.2.0/24AS64500')
    .option('--reason <text>', 'reason, which the history shows publicly')
    .option('--dry-run', 'only say what would happen')
    .action(run((objects: string[], options: DeleteOptions) => remove(io, objects, options)));
}

async function remove(io: Io, objects: readonly string[], options: DeleteOptions): Promise<ExitCode> {
  const registry = openRegistry(io, options);
  const named: NamedObject[] = [];
  for (const name of objects) {
    const { source, type, key } = parseKey(registry.source, name);
    const [object] = (await registry.json([source, type, key])).objects?.object ?? [];
    if (object === undefined) throw new CommandFailure(`${name} does not exist`);
    // To delete an object, the registry needs its key alone.
    named.push({ name, body: { action: 'DELETE', attributes: keyAttributes(object) } });
  }
  return writeBatches(io, registry, named, options);
}

function keyAttributes({ type, 'primary-key': { attribute } }: WhoisObject) {
  const first = attribute.filter(({ name }) => name === type);
  const others = attribute.filter(({ name }) => name !== type);
  const key = attribute.map(({ value }) => value).join('');
  // The key of a person or role is its nic-hdl, but the object begins with its name.
  return { attribute: [...(first.length === 0 ? [{ name: type, value: key }] : first), ...others] };
}
