import { type ExportObjectsRequest, ObjectReaderServiceService } from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import type { RpcClient } from '@cadastre/service';
import type { Command } from 'commander';
import type { Run } from '../action.js';
import { withClient } from '../clients.js';
import { despiteBreaks, retryOption } from '../despite-breaks.js';
import { untilInterrupted } from '../interrupts.js';
import { type ExitCode, exitCode, type Io, note } from '../io.js';
import { everySeconds } from '../load/progress.js';
import { writeTexts } from './output.js';

const longestExportMs = 24 * 3_600_000;

interface ExportOptions {
  source: string;
  type?: string[];
  filtered?: true;
  utf8?: true;
  output?: string;
  retry: number;
}

const outputHelp = `
With --output, the text gets the name of the file when it is complete; until then an existing file stays as it is. The
export goes on after a break of the connection. It is not one moment of the source: each object is in a state that it
had during the export, and objects that were created or deleted meanwhile may be in it or not.
`;

/** Adds `cadastre export`. */
export function addExportCommand(program: Command, io: Io, run: Run): void {
  program
    .command('export')
    .description('Write every object of a source as RPSL text that can be loaded again.')
    .addHelpText('after', outputHelp)
    .requiredOption('--source <name>', 'source to export')
    .option('--type <types...>', 'only these object types')
    .option('--filtered', 'only what the public may see')
    .option('--utf8', 'write UTF-8 (otherwise ISO 8859-1)')
    .option('--output <file>', 'write to a file instead of standard output')
    .addOption(retryOption())
    .action(run((options: ExportOptions) => untilInterrupted(io, (signal) => exportSource(io, options, signal))));
}

async function exportSource(io: Io, options: ExportOptions, signal: AbortSignal): Promise<ExitCode> {
  const { source, type: types = [], output, retry } = options;
  const view = options.filtered ? View.VIEW_FILTERED : View.VIEW_COMPLETE;
  const count = { objects: 0 };
  await withClient(io, 'objects', ObjectReaderServiceService, (reader) => {
    const texts = textsOf(io, reader, { source, types, view }, { retryMs: retry, signal, count });
    return writeTexts(io, output, options.utf8 ? 'utf8' : 'latin1', texts, signal);
  });
  note(io, `${count.objects} objects`);
  return exitCode.done;
}

interface Reading {
  readonly retryMs: number;
  readonly signal: AbortSignal;
  /** Counts the objects. */
  readonly count: { objects: number };
}

async function* textsOf(
  io: Io,
  reader: RpcClient<typeof ObjectReaderServiceService>,
  request: ExportObjectsRequest,
  { retryMs, signal, count }: Reading,
): AsyncGenerator<string> {
  const tell = everySeconds();
  let after: string | undefined;
  const pages = despiteBreaks(io, {
    open: () => reader.exportObjects({ ...request, after }, { deadlineMs: longestExportMs, signal }),
    isProgress: ({ position }) => position !== undefined,
    goOn: () => `going on after ${count.objects} objects`,
    signal,
    retryMs,
  });
  for await (const { objects, position } of pages) {
    after = position ?? after;
    count.objects += objects.length;
    tell(() => note(io, `${count.objects} objects, now at ${after?.split(' ', 1)[0]}`));
    yield objects.map(({ text }) => `${text}\n`).join('');
  }
}
