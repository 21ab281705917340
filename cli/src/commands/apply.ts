import type { Command } from 'commander';
import type { Run } from '../action.js';
import type { ExitCode, Io } from '../io.js';
import { readObjectFiles, submitted } from '../rest/object-files.js';
import { openRegistry, overRest, type RegistryOptions } from '../rest/registry.js';
import { writeBatches } from '../rest/write-batches.js';

interface ApplyOptions extends RegistryOptions {
  readonly file: string[];
  readonly dryRun?: true;
}

const applyHelp = `
Each transaction has at most 100 objects, which are written all or none. For each object the command prints what became
of it: created, modified, unchanged, or why the registry refuses it.

Examples:
  cadastre apply -f objects.txt --dry-run
  cadastre get route/192.0.2.0/24AS64500 --unfiltered | sed s/old/new/ | cadastre apply -f -`;

/** Adds `cadastre apply`. */
export function addApplyCommand(program: Command, io: Io, run: Run): void {
  overRest(io, program.command('apply'))
    .description('Create or update the objects of files in a registry (see login).')
    .addHelpText('after', applyHelp)
    .requiredOption('-f, --file <files...>', 'objects in RPSL, with blank lines between them; - is standard input')
    .option('--dry-run', 'only say what would happen')
    .action(run((options: ApplyOptions) => apply(io, options)));
}

async function apply(io: Io, { file, dryRun, ...options }: ApplyOptions): Promise<ExitCode> {
  const registry = openRegistry(io, options);
  const objects = await readObjectFiles(io, file);
  const named = objects.map(({ name, object }) => ({ name, body: submitted(object) }));
  return writeBatches(io, registry, named, { dryRun });
}
