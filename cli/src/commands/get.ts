import type { Command } from 'commander';
import type { Run } from '../action.js';
import type { Io } from '../io.js';
import { formatOption, type ObjectFormat, printObjects } from '../rest/print-objects.js';
import { openRegistry, overRest, type RegistryOptions } from '../rest/registry.js';
import { parseKey } from './object-name.js';

interface GetOptions extends RegistryOptions {
  readonly output: ObjectFormat;
  readonly unfiltered?: true;
  readonly asOf?: string;
}

/** Adds `cadastre get`. */
export function addGetCommand(program: Command, io: Io, run: Run): void {
  overRest(io, program.command('get'))
    .description('Print objects of a registry (see login).')
    .argument('<object...>', 'as type/key, for example inetnum/192.0.2.0 - 192.0.2.255')
    .addOption(formatOption())
    .option('--unfiltered', 'with e-mail addresses and other filtered attributes, which count against limits')
    .option('--as-of <time>', 'as they were at a time (ISO 8601) or serial')
    .action(run((objects: string[], options: GetOptions) => get(io, objects, options)));
}

async function get(io: Io, objects: readonly string[], { output, unfiltered, asOf, ...options }: GetOptions) {
  const registry = openRegistry(io, options);
  const query = { unfiltered, 'as-of': asOf };
  const resources = objects.map((object) => {
    const { source, type, key } = parseKey(registry.source, object);
    return { path: [source, type, key], query };
  });
  await printObjects(io, registry, output, resources);
}
