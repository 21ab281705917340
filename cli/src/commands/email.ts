import { readFile } from 'node:fs/promises';
import { EmailMark, EmailMarkServiceService, type MarkedEmail } from '@cadastre/proto/objects';
import { type Command, Option } from 'commander';
import type { Run } from '../action.js';
import { withClient } from '../clients.js';
import { counted } from '../counted.js';
import { CommandFailure } from '../failure.js';
import { type Io, say } from '../io.js';
import { asList, inPages, type ListOptions, nameIn, printList } from './results.js';

const marks = {
  excluded: EmailMark.EMAIL_MARK_EXCLUDED,
  undeliverable: EmailMark.EMAIL_MARK_UNDELIVERABLE,
  unsubscribed: EmailMark.EMAIL_MARK_UNSUBSCRIBED,
} as const;

type MarkName = keyof typeof marks;

const maxAddresses = 1_000;

/** Adds `cadastre email mark|unmark|confirm|list`. */
export function addEmailCommands(program: Command, io: Io, run: Run): void {
  const emails = program
    .command('email')
    .description('Mark e-mail addresses: objects must not contain excluded ones; the others are not notified.');
  emails
    .command('mark')
    .description('Mark addresses. The mark applies to later writes; stored objects do not change.')
    .argument('<addresses...>', 'for example noc@example.net')
    .addOption(markOption().makeOptionMandatory())
    .action(run((addresses: string[], { as }: { as: MarkName }) => change(io, 'mark', addresses, as)));
  emails
    .command('unmark')
    .description('Remove a mark from addresses.')
    .argument('<addresses...>', 'addresses')
    .addOption(markOption().makeOptionMandatory())
    .action(run((addresses: string[], { as }: { as: MarkName }) => change(io, 'unmark', addresses, as)));
  emails
    .command('confirm')
    .description(
      'Confirm addresses in the name of their owners: they get notifications without a mail that requests it.',
    )
    .argument('[addresses...]', 'for example noc@example.net')
    .option('--file <path>', 'a file with one address on each line')
    .action(run((addresses: string[], { file }: { file?: string }) => confirm(io, addresses, file)));
  asList(emails.command('list'))
    .description('List the marked addresses in alphabetical order.')
    .addOption(markOption())
    .action(run((options: ListMarksOptions) => list(io, options)));
}

interface ListMarksOptions extends ListOptions {
  as?: MarkName;
}

function markOption(): Option {
  return new Option('--as <mark>', 'the mark').choices(Object.keys(marks));
}

async function change(io: Io, verb: 'mark' | 'unmark', addresses: string[], as: MarkName): Promise<void> {
  const method = `${verb}Emails` as const;
  const { changed } = await withClient(io, 'objects', EmailMarkServiceService, (client) =>
    client[method]({ addresses, mark: marks[as] }),
  );
  say(io, `${counted(changed, 'address', 'addresses')} ${verb}ed`);
}

async function confirm(io: Io, named: string[], file: string | undefined): Promise<void> {
  const text = file === undefined ? '' : await readFile(file, 'utf8');
  const lines = text.split('\n').map((line) => line.trim());
  const addresses = [...named, ...lines.filter((line) => line !== '')];
  if (addresses.length === 0) throw new CommandFailure('name an address, or a file with addresses');
  let changed = 0;
  await withClient(io, 'objects', EmailMarkServiceService, async (client) => {
    for (let at = 0; at < addresses.length; at += maxAddresses) {
      changed += (await client.confirmEmails({ addresses: addresses.slice(at, at + maxAddresses) })).changed;
    }
  });
  say(io, `${counted(changed, 'address', 'addresses')} confirmed`);
}

async function list(io: Io, { as, ...options }: ListMarksOptions): Promise<void> {
  const mark = as ? marks[as] : EmailMark.EMAIL_MARK_UNSPECIFIED;
  await withClient(io, 'objects', EmailMarkServiceService, (client) => {
    const records = inPages('', async (after) => {
      const { emails, next } = await client.listMarkedEmails({ mark, after, limit: options.limit ?? 0 });
      return { entries: emails.map(recordOf), next };
    });
    return printList(io, columns, records, options);
  });
}

function recordOf({ address, mark, marked }: MarkedEmail) {
  return { address, mark: nameIn(marks, mark), since: marked?.toISOString().slice(0, 10) ?? null };
}

const columns = ['address', 'mark', { name: 'since', none: '' }] as const;
