import { type ApiKey, ApiKeyServiceService } from '@cadastre/proto/auth';
import type { Command } from 'commander';
import type { Run } from '../action.js';
import { findAddresses } from '../addresses.js';
import { withClient } from '../clients.js';
import { type Io, note, say } from '../io.js';
import { parseTime, shownTime } from './instant.js';
import { asList, type ListOptions, printList } from './results.js';

interface CreateOptions {
  user: string;
  name: string;
  expires?: string;
  maintainer?: string;
  createAccount?: boolean;
}

/** Adds `cadastre api-key create|revoke|list`. */
export function addApiKeyCommands(program: Command, io: Io, run: Run): void {
  const keys = program.command('api-key').description('Create, revoke and list API keys.');
  keys
    .command('create')
    .description(
      'Create an API key. The last line of the output is the value for "Authorization: Basic"; it is shown once.',
    )
    .requiredOption('--user <email>', "the account's name at the identity provider")
    .requiredOption('--name <name>', 'name of the key')
    .option('--expires <time>', 'time of expiry (ISO 8601), at most one year from now')
    .option('--maintainer <mntner>', 'limit the key to one maintainer')
    .option('--create-account', 'create the account if it does not exist, where the registry allows that (trials)')
    .action(run((options: CreateOptions) => createKey(io, options)));
  keys
    .command('revoke')
    .description('Revoke an API key permanently; effective everywhere within seconds.')
    .argument('<id>', 'identifier of the key')
    .action(run((id: string) => revokeKey(io, id)));
  asList(keys.command('list'))
    .description("List an account's API keys, newest first.")
    .requiredOption('--user <email>', "the account's name")
    .action(run((options: ListKeysOptions) => listKeys(io, options)));
}

interface ListKeysOptions extends ListOptions {
  user: string;
}

async function createKey(io: Io, options: CreateOptions): Promise<void> {
  const request = {
    accountId: '',
    accountName: options.user,
    name: options.name,
    expires: options.expires === undefined ? undefined : parseTime('--expires', options.expires),
    maintainer: options.maintainer ?? '',
    createAccount: options.createAccount ?? findAddresses(io.env).local,
  };
  const { apiKey, credential } = await withClient(io, 'auth', ApiKeyServiceService, (keys) =>
    keys.createApiKey(request),
  );
  note(io, `Key ${apiKey?.id} of ${apiKey?.accountName} is valid until ${shownTime(apiKey?.expires)}.`);
  note(io, 'Its credential is shown once:');
  say(io, credential);
}

async function revokeKey(io: Io, id: string): Promise<void> {
  const { apiKey } = await withClient(io, 'auth', ApiKeyServiceService, (keys) =>
    keys.revokeApiKey({ id, accountId: '', accountName: '' }),
  );
  say(io, `Key ${id} ("${apiKey?.name}" of ${apiKey?.accountName}) is revoked.`);
}

async function listKeys(io: Io, { user: accountName, ...options }: ListKeysOptions): Promise<void> {
  const { apiKeys } = await withClient(io, 'auth', ApiKeyServiceService, (keys) =>
    keys.listApiKeys({ accountId: '', accountName }),
  );
  const records = apiKeys.map((key) => ({
    id: key.id,
    state: stateOf(key, new Date()),
    created: key.created ?? null,
    expires: key.expires ?? null,
    lastUsed: key.lastUsed ?? null,
    maintainer: key.maintainer || null,
    name: key.name,
  }));
  await printList(io, columns, records, options);
}

const columns = ['id', 'state', 'created', 'expires', 'lastUsed', 'maintainer', 'name'] as const;

function stateOf(key: ApiKey, now: Date): 'valid' | 'revoked' | 'expired' {
  if (key.revoked) return 'revoked';
  return key.expires && key.expires <= now ? 'expired' : 'valid';
}
