import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import type { Run } from '../action.js';
import { CommandFailure } from '../failure.js';
import { type Io, note, say } from '../io.js';
import { contextOf, contextsFile, listContexts, readContexts, writeContexts } from '../rest/contexts.js';
import { registryAt } from '../rest/registry.js';
import { asList, type ListOptions, printList } from './results.js';

interface LoginOptions {
  readonly name?: string;
  readonly source?: string;
  readonly caFile?: string;
  readonly anonymous?: true;
}

const loginHelp = `
Reads the credential of an API key from standard input, as "cadastre api-key create" and the account page of the web
interface show it, and stores it in a file that only you can read. The first registry, and each later login, becomes
the current one.

Examples:
  cadastre login https://rest.example.net < credential.txt
  cadastre login http://localhost:8080 --anonymous`;

/** Adds `cadastre login`, `logout` and `context`. */
export function addLoginCommands(program: Command, io: Io, run: Run): void {
  program
    .command('login')
    .description('Store the address and an API key of a registry, for get, search, diff, apply and delete.')
    .addHelpText('after', loginHelp)
    .argument('<url>', 'URL of the REST interface', parseUrl)
    .option('--name <name>', 'name of the registry (default: its host)')
    .option('--source <name>', 'source of commands without --source (default: the first one of the registry)')
    .option('--ca-file <file>', 'certificates (PEM) that verify the registry, besides those of the system')
    .option('--anonymous', 'read only, without an API key')
    .action(run((url: URL, options: LoginOptions) => login(io, url, options)));
  program
    .command('logout')
    .description('Delete the stored address and API key of a registry. The key itself stays valid.')
    .argument('[name]', 'the registry (default: the current one)')
    .action(run((name?: string) => logout(io, name)));
  const context = program.command('context').description('List the stored registries, and choose one.');
  asList(context.command('list'))
    .description('List the registries of "cadastre login".')
    .action(run((options: ListOptions) => printList(io, columns, listContexts(io), options)));
  context
    .command('use')
    .description('Make a registry the current one.')
    .argument('<name>', 'the registry')
    .action(run((name: string) => use(io, name)));
}

const columns = ['name', 'current', 'url', 'source', 'credential'] as const;

function parseUrl(value: string): URL {
  const url = URL.parse(value);
  if (url === null || !['https:', 'http:'].includes(url.protocol)) {
    throw new InvalidArgumentError('It must begin with https:// or http://.');
  }
  return url;
}

async function login(io: Io, { href, hostname, host, protocol }: URL, options: LoginOptions): Promise<void> {
  const { name = host, caFile, anonymous = false } = options;
  if (!anonymous && protocol !== 'https:') throw new CommandFailure('An API key needs https: use --anonymous to read');
  if (!anonymous && io.stdin.isTTY) note(io, `Paste the credential of an API key of ${hostname}, then Ctrl-D:`);
  const apiKey = anonymous ? undefined : (await text(io.stdin)).trim();
  if (apiKey === '') throw new CommandFailure('No credential on standard input');
  const ca = caFile === undefined ? undefined : await readFile(caFile, 'utf8');
  const access = {
    url: href.replace(/\/+$/, ''),
    ...(apiKey !== undefined && { apiKey }),
    ...(ca !== undefined && { ca }),
  };
  // A wrong credential is refused (401).
  const { sources, 'grs-sources': mirrors } = await registryAt({ ...access, source: '' }).json(['metadata', 'sources']);
  const known = [...(sources?.source ?? []), ...(mirrors?.source ?? [])].map(({ id }) => id.toUpperCase());
  const source = options.source?.toUpperCase() ?? known[0];
  if (source === undefined || !known.includes(source)) {
    throw new CommandFailure(`The registry has no source ${source ?? 'at all'}; it has ${known.join(', ')}`);
  }
  const { contexts } = readContexts(io);
  await writeContexts(io, { current: name, contexts: { ...contexts, [name]: { ...access, source, sources: known } } });
  note(io, `${name} is the current registry, with the source ${source} (${contextsFile(io)}).`);
}

async function logout(io: Io, name?: string): Promise<void> {
  const { current, contexts } = readContexts(io);
  contextOf(io, name);
  const { [(name ?? current)!]: _, ...others } = contexts;
  const isCurrent = (name ?? current) === current;
  await writeContexts(io, { ...(!isCurrent && current !== undefined && { current }), contexts: others });
  say(io, `${name ?? current} is no longer stored.`);
}

async function use(io: Io, name: string): Promise<void> {
  contextOf(io, name);
  await writeContexts(io, { ...readContexts(io), current: name });
}
