import { userInfo } from 'node:os';
import { HistoryServiceService } from '@cadastre/proto/objects';
import { type Command, InvalidArgumentError } from 'commander';
import type { Run } from '../action.js';
import { withClient } from '../clients.js';
import { counted } from '../counted.js';
import { type Io, say } from '../io.js';
import { openRegistry, overRest, type RegistryOptions } from '../rest/registry.js';
import { parseKey } from './object-name.js';
import { asList, type ListOptions, printList } from './results.js';

interface EraseOptions {
  source: string;
  through: number;
  reason: string;
  by: string;
}

const eraseHelp = `
Erases the stored former states of the object, but not its current state: change or delete the object first. Versions
keep their numbers, times and keys. Backups, the write-ahead log and other systems that follow the
registry still have the texts.
`;

/** Adds `cadastre history list|erase`. */
export function addHistoryCommands(program: Command, io: Io, run: Run): void {
  const history = program.command('history').description('List the versions of an object, and erase old texts.');
  overRest(io, asList(history.command('list')))
    .description('List the versions of an object of a registry (see login), oldest first.')
    .argument('<object>', 'as type/key, for example person/AB1-TEST')
    .action(run((object: string, options: ListOptions & RegistryOptions) => listVersions(io, object, options)));
  history
    .command('erase')
    .description('Erase the texts of former versions of an object, for privacy. This cannot be undone.')
    .addHelpText('after', eraseHelp)
    .argument('<object>', 'as type/key, for example person/AB1-TEST')
    .requiredOption('--source <name>', 'source of the object')
    .requiredOption('--reason <text>', 'reason, for the record')
    .option('--through <version>', 'erase no later version than this (otherwise all)', parseRevision, 0)
    .option('--by <name>', 'name of the operator, for the record', userInfo().username)
    .action(run((object: string, options: EraseOptions) => eraseHistory(io, object, options)));
}

/** Reads the number of a version. */
export function parseRevision(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('It must be the number of a version.');
  return Number(text);
}

async function eraseHistory(io: Io, object: string, { source, through, reason, by }: EraseOptions): Promise<void> {
  const request = { key: parseKey(source, object), lastRevision: through, reason, erasedBy: by };
  const { versions, notices } = await withClient(io, 'objects', HistoryServiceService, (client) =>
    client.eraseHistory(request),
  );
  say(io, `${counted(versions, 'version')} and ${counted(notices, 'notice')} lost their texts`);
}

async function listVersions(io: Io, object: string, options: ListOptions & RegistryOptions): Promise<void> {
  const registry = openRegistry(io, options);
  const { source, type, key } = parseKey(registry.source, object);
  const { versions } = await registry.json([source, type, key, 'versions']);
  const records = (versions?.version ?? []).map(({ revision, date, operation, reason = null }) => {
    return { version: revision, date: new Date(date), operation, reason };
  });
  await printList(io, ['version', 'date', 'operation', 'reason'], records, options);
}
