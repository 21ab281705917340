import { ObjectReaderServiceService } from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import type { RpcClient } from '@cadastre/service';
import type { Command } from 'commander';
import type { Run } from '../action.js';
import { withClient } from '../clients.js';
import { type ExitCode, exitCode, type Io, note } from '../io.js';
import { writeTexts } from './output.js';

const longestExportMs = 24 * 3_600_000;

interface ExportOptions {
  source: string;
  type?: string[];
  filtered?: true;
  utf8?: true;
  output?: string;
}

/** Adds `cadastre export`. */
export function addExportCommand(program: Command, io: Io, run: Run): void {
  program
    .command('export')
    .description('Write every object of a source as RPSL text that can be loaded again.')
    .requiredOption('--source <name>', 'source to export')
    .option('--type <types...>', 'only these object types')
    .option('--filtered', 'only what the public may see')
    .option('--utf8', 'write UTF-8 (otherwise ISO 8859-1)')
    .option('--output <file>', 'write to a file instead of standard output')
    .action(run((options: ExportOptions) => exportSource(io, options)));
}

async function exportSource(io: Io, options: ExportOptions): Promise<ExitCode> {
  let objects = 0;
  async function* texts(reader: RpcClient<typeof ObjectReaderServiceService>): AsyncGenerator<string> {
    const view = options.filtered ? View.VIEW_FILTERED : View.VIEW_COMPLETE;
    const request = { source: options.source, types: options.type ?? [], view };
    for await (const page of reader.exportObjects(request, { deadlineMs: longestExportMs })) {
      objects += page.objects.length;
      yield page.objects.map(({ text }) => `${text}\n`).join('');
    }
  }
  await withClient(io, 'objects', ObjectReaderServiceService, (reader) =>
    writeTexts(io, options.output, options.utf8 ? 'utf8' : 'latin1', texts(reader)),
  );
  note(io, `${objects} objects`);
  return exitCode.done;
}
