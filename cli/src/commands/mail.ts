import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { MailServiceService, MailStep } from '@cadastre/proto/events';
import { unlessAbsent } from '@cadastre/service';
import type { Command } from 'commander';
import type { Run } from '../action.js';
import { withClient } from '../clients.js';
import { CommandFailure } from '../failure.js';
import { type ExitCode, exitCode, type Io, note, say } from '../io.js';
import { fieldOf, readMail } from '../read-mail.js';
import {
  asList,
  asReport,
  type ListOptions,
  nameIn,
  printFacts,
  printJson,
  printList,
  type ReportOptions,
} from './results.js';

/** Adds `cadastre mail test|list|show`. */
export function addMailCommands(program: Command, io: Io, run: Run): void {
  const mail = program
    .command('mail')
    .description('Send a test mail; show the mails that "make run" wrote instead of sending them.');
  asReport(mail.command('test'))
    .description(
      'Send one mail immediately, as notifications are sent, and show what the mail server replied. Exit code 2 when it ' +
        'did not accept the mail.',
    )
    .argument('<address>', 'for example noc@example.net')
    .action(run((address: string, options: ReportOptions) => test(io, address, options)));
  asList(mail.command('list'))
    .description('List the mails, newest first.')
    .action(run((options: ListOptions) => list(io, options)));
  asReport(mail.command('show'))
    .description('Show a mail: its header and its text.')
    .argument('[name]', 'its name (otherwise the newest mail)')
    .action(run((name: string | undefined, options: ReportOptions) => show(io, name, options)));
}

const steps = {
  resolve: MailStep.MAIL_STEP_RESOLVE,
  connect: MailStep.MAIL_STEP_CONNECT,
  session: MailStep.MAIL_STEP_SESSION,
  tls: MailStep.MAIL_STEP_TLS,
  login: MailStep.MAIL_STEP_LOGIN,
  sender: MailStep.MAIL_STEP_SENDER,
  recipient: MailStep.MAIL_STEP_RECIPIENT,
  content: MailStep.MAIL_STEP_CONTENT,
  file: MailStep.MAIL_STEP_FILE,
} as const;

async function test(io: Io, address: string, { json }: ReportOptions): Promise<ExitCode> {
  const result = await withClient(io, 'events', MailServiceService, (client) => client.sendTestMail({ address }));
  const { destination, failure, dkimKey } = result;
  const server = destination?.$case === 'server' ? destination.value : null;
  const facts = {
    server: server && `${server.host.includes(':') ? `[${server.host}]` : server.host}:${server.port}`,
    tls: server?.tls || null,
    from: result.from,
    messageId: result.messageId,
    dkimKey: dkimKey || null,
    reply: server?.reply || null,
    file: destination?.$case === 'file' ? destination.value : null,
    failedAt: failure ? nameIn(steps, failure.step) : null,
    reason: failure?.reason ?? null,
    advice: failure?.advice ?? null,
  };
  if (json) printJson(io, facts);
  else {
    const { advice, ...shown } = facts;
    const isPlain = server?.tls === '' && (failure === undefined || failure.step > MailStep.MAIL_STEP_TLS);
    if (isPlain) shown.tls = 'none';
    if (server) shown.dkimKey ??= 'none: not signed here';
    printFacts(io, shown);
    note(io, advice ?? (server ? accepted : written));
  }
  return failure ? exitCode.failed : exitCode.done;
}

const accepted =
  'The mail server accepted the mail. See whether it arrives, and not as spam: its header Authentication-Results should ' +
  'have spf=pass and, with a DKIM key here or at the mail server, dkim=pass.';
const written = 'The service sends no mails: it writes them into files (CADASTRE_MAIL_URL begins with file:).';

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
