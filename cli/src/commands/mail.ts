import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { unlessAbsent } from '@cadastre/service';
import type { Command } from 'commander';
import type { Run } from '../action.js';
import { CommandFailure } from '../failure.js';
import { type Io, say } from '../io.js';
import { fieldOf, readMail } from '../read-mail.js';
import { asList, asReport, type ListOptions, printJson, printList, type ReportOptions } from './results.js';

/** Adds `cadastre mail list|show`. */
export function addMailCommands(program: Command, io: Io, run: Run): void {
  const mail = program.command('mail').description('Show the mails that "make run" wrote instead of sending them.');
  asList(mail.command('list'))
    .description('List the mails, newest first.')
    .action(run((options: ListOptions) => list(io, options)));
  asReport(mail.command('show'))
    .description('Show a mail: its header and its text.')
    .argument('[name]', 'its name (otherwise the newest mail)')
    .action(run((name: string | undefined, options: ReportOptions) => show(io, name, options)));
}

const columns = ['name', 'written', 'to', 'subject'] as const;

const extension = '.eml';
const byNumber = new Intl.Collator('en', { numeric: true });

async function list(io: Io, options: ListOptions): Promise<void> {
  await printList(io, columns, records(io), options);
}

async function* records(io: Io) {
  for (const { name, written } of await newestFirst(io)) {
    const mail = readMail(await readFile(fileOf(io, name), 'utf8'));
    yield { name, written, to: fieldOf(mail, 'to'), subject: fieldOf(mail, 'subject') };
  }
}

async function show(io: Io, named: string | undefined, { json }: ReportOptions): Promise<void> {
  const name = named ?? (await newestFirst(io))[0]?.name;
  const text = name && (await unlessAbsent(readFile(fileOf(io, name), 'utf8')));
  if (!text) throw new CommandFailure(`There is no mail${named ? ` ${named}` : ''} in ${folderOf(io)}`);
  const mail = readMail(text);
  if (json) {
    printJson(io, { name, ...mail });
    return;
  }
  for (const field of mail.fields) say(io, `${field.name}: ${field.value}`);
  say(io, `\n${mail.text.replaceAll('\r\n', '\n').trimEnd()}`);
}

/** Files of the same time by the numbers in their names. */
async function newestFirst(io: Io): Promise<{ name: string; written: Date }[]> {
  const files = ((await unlessAbsent(readdir(folderOf(io)))) ?? []).filter((file) => file.endsWith(extension));
  const names = files.map((file) => basename(file, extension)).sort((a, b) => byNumber.compare(b, a));
  const mails = names.map(async (name) => ({ name, written: (await stat(fileOf(io, name))).mtime }));
  return (await Promise.all(mails)).sort((a, b) => Number(b.written) - Number(a.written));
}

function fileOf(io: Io, name: string): string {
  return join(folderOf(io), `${basename(name, extension)}${extension}`);
}

function folderOf({ env }: Io): string {
  return resolve(env.CADASTRE_DATA_DIR || '.data', 'mails');
}
