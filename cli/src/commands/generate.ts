import { generateRegistry } from '@cadastre/synthetic';
import type { Command } from 'commander';
import type { Run } from '../action.js';
import { CommandFailure } from '../failure.js';
import { untilInterrupted } from '../interrupts.js';
import type { Io } from '../io.js';
import { writeTexts } from './output.js';

interface GenerateOptions {
  objects: string;
  seed: string;
  source: string;
  utf8?: true;
  output?: string;
}

/** Adds `cadastre generate`. */
export function addGenerateCommand(program: Command, io: Io, run: Run): void {
  program
    .command('generate')
    .description('Write a synthetic registry as RPSL text; the same seed gives the same registry.')
    .option('--objects <number>', 'number of objects', '10000')
    .option('--seed <number>', 'which registry', '1')
    .option('--source <name>', 'value of the source attributes', 'TEST')
    .option('--utf8', 'write UTF-8 (otherwise ISO 8859-1)')
    .option('--output <file>', 'write to a file instead of standard output')
    .action(run((options: GenerateOptions) => untilInterrupted(io, (signal) => generate(io, options, signal))));
}

async function generate(io: Io, options: GenerateOptions, signal: AbortSignal): Promise<void> {
  const objects = wholeNumber('--objects', options.objects);
  const seed = wholeNumber('--seed', options.seed);
  const texts = generateRegistry({ objects, seed, source: options.source });
  await writeTexts(io, options.output, options.utf8 ? 'utf8' : 'latin1', separated(texts), signal);
}

function* separated(texts: Iterable<string>): Generator<string> {
  for (const text of texts) yield `${text}\n`;
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new CommandFailure(`${option}: "${text}" is not a whole number`);
  return Number(text);
}
