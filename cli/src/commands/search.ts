import { objectTypeNames } from '@cadastre/rpsl';
import { type Command, Option } from 'commander';
import type { Run } from '../action.js';
import type { Io } from '../io.js';
import { formatOption, type ObjectFormat, printObjects } from '../rest/print-objects.js';
import { openRegistry, overRest, type RegistryOptions } from '../rest/registry.js';
import { limitOf } from './results.js';

interface SearchOptions extends RegistryOptions {
  readonly output: ObjectFormat;
  readonly type?: string[];
  readonly inverse?: string[];
  readonly flag?: string[];
  readonly max: number;
  readonly asOf?: string;
}

const searchHelp = `
Examples:
  cadastre search 192.0.2.77
  cadastre search 192.0.2.0/24 --flag all-more --type route
  cadastre search EXAMPLE-MNT --inverse mnt-by --max 1000 -o json`;

/** Adds `cadastre search`. */
export function addSearchCommand(program: Command, io: Io, run: Run): void {
  const types = new Option('--type <types...>', 'only objects of these types').choices(objectTypeNames);
  overRest(io, program.command('search'))
    .description('Search a registry (see login) for addresses, keys, names and references.')
    .addHelpText('after', searchHelp)
    .argument('<query>', 'an address, prefix, range, AS number, key or name')
    .addOption(types)
    .option('--inverse <attributes...>', 'objects that refer to the query in these attributes')
    .option('--flag <names...>', 'flags of the query, such as no-referenced, all-more or one-less')
    .option('--max <number>', 'maximum number of objects', limitOf, 100)
    .option('--as-of <time>', 'as they were at a time (ISO 8601) or serial')
    .addOption(formatOption())
    .action(run((query: string, options: SearchOptions) => search(io, query, options)));
}

async function search(io: Io, text: string, { output, source, ...options }: SearchOptions): Promise<void> {
  const registry = openRegistry(io, options);
  const query = {
    'query-string': text,
    // Without one, the registry searches its main source.
    ...(source !== undefined && { source }),
    'type-filter': options.type,
    'inverse-attribute': options.inverse,
    flags: options.flag,
    limit: String(options.max),
    'as-of': options.asOf,
  };
  await printObjects(io, registry, output, [{ path: ['search'], query }]);
}
