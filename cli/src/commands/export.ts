import { type ExportObjectsRequest, type Moment, ObjectReaderServiceService } from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import type { RpcClient } from '@cadastre/service';
import type { Command } from 'commander';
import type { Run } from '../action.js';
import { withClient } from '../clients.js';
import { counted } from '../counted.js';
import { despiteBreaks, retryOption } from '../despite-breaks.js';
import { CommandFailure } from '../failure.js';
import { untilInterrupted } from '../interrupts.js';
import { type Io, note } from '../io.js';
import { everySeconds } from '../load/progress.js';
import { parseTime } from './instant.js';
import { writeTexts } from './output.js';

const maxExportMs = 24 * 3_600_000;

interface ExportOptions {
  source: string;
  type?: string[];
  filtered?: true;
  utf8?: true;
  output?: string;
  asOf?: string;
  retry: number;
}

const outputHelp = `
With --output, the text gets the name of the file when it is complete; until then an existing file stays as it is. The
export goes on after a break of the connection. It is one moment of the source, whose serial is printed at the end:
what is written meanwhile is not in it. --as-of exports an earlier moment.
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
    .option('--as-of <moment>', 'a serial, or a time such as 2027-01-31 or 2027-01-31T12:00:00Z (otherwise now)')
    .option('--utf8', 'write UTF-8 (otherwise ISO 8859-1)')
    .option('--output <file>', 'write to a file instead of standard output')
    .addOption(retryOption())
    .action(run((options: ExportOptions) => untilInterrupted(io, (signal) => exportSource(io, options, signal))));
}

async function exportSource(io: Io, options: ExportOptions, signal: AbortSignal): Promise<void> {
  const { source, type: types = [], output, asOf, retry } = options;
  const view = options.filtered ? View.VIEW_FILTERED : View.VIEW_COMPLETE;
  const moment = asOf === undefined ? {} : momentOf(asOf);
  const done: Done = { objects: 0 };
  await withClient(io, 'objects', ObjectReaderServiceService, (reader) => {
    const texts = textsOf(io, reader, { source, types, view, asOf: moment }, { retryMs: retry, signal, done });
    return writeTexts(io, output, options.utf8 ? 'utf8' : 'latin1', texts, signal);
  });
  note(io, `${counted(done.objects, 'object')}${done.serial === undefined ? '' : ` as of serial ${done.serial}`}`);
}

function momentOf(text: string): Moment {
  if (/^\d{1,18}$/.test(text)) return { point: { $case: 'serial', value: BigInt(text) } };
  return { point: { $case: 'instant', value: parseTime('--as-of', text) } };
}

/** The progress of an export. */
interface Done {
  objects: number;
  /** The serial of its moment; absent when the service does not support moments. */
  serial?: bigint;
}

interface Reading {
  readonly retryMs: number;
  readonly signal: AbortSignal;
  readonly done: Done;
}

async function* textsOf(
  io: Io,
  reader: RpcClient<typeof ObjectReaderServiceService>,
  { asOf: moment, ...request }: ExportObjectsRequest,
  { retryMs, signal, done }: Reading,
): AsyncGenerator<string> {
  const report = everySeconds();
  let after: string | undefined;
  let asOf = moment;
  const pages = despiteBreaks(io, {
    open: () => reader.exportObjects({ ...request, asOf, after }, { deadlineMs: maxExportMs, signal }),
    isProgress: ({ position }) => position !== undefined,
    goOn: () => `resuming after ${done.objects} objects`,
    signal,
    retryMs,
  });
  for await (const { objects, position, serial, exact } of pages) {
    if (position === undefined && exact) {
      done.serial = serial;
      asOf = { point: { $case: 'serial', value: serial } };
    } else if (position === undefined && moment?.point !== undefined) {
      throw new CommandFailure('The objects service is too old for --as-of');
    }
    after = position ?? after;
    done.objects += objects.length;
    report(() => note(io, `${counted(done.objects, 'object')}, now at ${after?.split(' ', 1)[0]}`));
    yield objects.map(({ text }) => `${text}\n`).join('');
  }
}
