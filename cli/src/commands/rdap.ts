import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ContainedScope,
  HierarchyServiceService,
  ObjectReaderServiceService,
  SourceKind,
} from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import {
  bootstrapFiles,
  bootstrapNames,
  bootstrapTypes,
  createServiceTable,
  Delegations,
  defaultPolicy,
  redirectFiles,
  type ServiceTable,
} from '@cadastre/rdap';
import { parseObject, type RpslObject } from '@cadastre/rpsl';
import { unlessAbsent } from '@cadastre/service';
import type { Command } from 'commander';
import type { Run } from '../action.js';
import { withClient } from '../clients.js';
import { counted } from '../counted.js';
import { CommandFailure } from '../failure.js';
import { untilInterrupted } from '../interrupts.js';
import { type Io, note } from '../io.js';
import { openInput } from '../load/input.js';
import { writeTexts } from './output.js';

const maxReadMs = 3_600_000;
/** Longer than any line of a file of delegations. */
const maxLineLength = 10_000;

const bootstrapHelp = `
Writes ipv4.json, ipv6.json, asn.json, dns.json and object-tags.json (RFC 9224, RFC 8521), which tell clients that this
registry answers for its outermost networks and as-blocks. The gateway serves them from CADASTRE_RDAP_BOOTSTRAP_DIR.
As-blocks and administrative networks also have numbers of other registries: --others leaves those out.
`;

const redirectsHelp = `
Each argument is the base URL of a registry's RDAP service and, after "=", a "delegated-extended" file of that registry,
plain or gzip. Writes ipv4.json, ipv6.json and asn.json (RFC 9224), which the gateway reads from
CADASTRE_RDAP_REDIRECTS_DIR. It takes what is allocated or assigned. Example:
  cadastre rdap redirects --out redirects https://rdap.east.example/=delegated-east-extended-latest
`;

interface BootstrapOptions {
  out: string;
  url: string;
  source?: string;
  others?: string;
}

/** Adds `cadastre rdap bootstrap|redirects`. */
export function addRdapCommands(program: Command, io: Io, run: Run): void {
  const rdap = program.command('rdap').description('Make the files that lead RDAP clients to the right registry.');
  rdap
    .command('bootstrap')
    .description('Write the bootstrap files of this registry.')
    .addHelpText('after', bootstrapHelp)
    .requiredOption('--out <directory>', 'existing directory of the files')
    .requiredOption('--url <url>', "base URL of this registry's RDAP service")
    .option('--source <name>', "source; default: the registry's own")
    .option('--others <directory>', 'bootstrap files of other registries, such as those of "cadastre rdap redirects"')
    .action(run((options: BootstrapOptions) => untilInterrupted(io, (signal) => writeBootstrap(io, options, signal))));
  rdap
    .command('redirects')
    .description('Write which RDAP services of others answer for which numbers.')
    .addHelpText('after', redirectsHelp)
    .argument('<url=file...>', 'base URLs, and files with what these registries have delegated')
    .requiredOption('--out <directory>', 'existing directory of the files')
    .action(
      run((pairs: string[], { out }: { out: string }) =>
        untilInterrupted(io, (signal) => writeRedirects(io, pairs, out, signal)),
      ),
    );
}

async function writeBootstrap(io: Io, options: BootstrapOptions, signal: AbortSignal): Promise<void> {
  const { host, href } = baseUrl(options.url);
  const others = await readOthers(options.others, (base) => base.host === host);
  const source = options.source ?? (await mainSource(io));
  const outermost = await outermostObjects(io, source, signal);
  const files = bootstrapFiles(outermost, {
    base: href,
    publication: new Date(),
    tag: source,
    policy: defaultPolicy,
    others,
  });
  for (const name of bootstrapNames) await writeTexts(io, fileIn(options.out, name), 'utf8', [files[name]], signal);
  note(io, `${counted(outermost.length, 'outermost object')} of ${source}`);
}

async function writeRedirects(io: Io, pairs: readonly string[], out: string, signal: AbortSignal): Promise<void> {
  const registries = new Map<string, Delegations>();
  for (const pair of pairs) {
    const at = pair.lastIndexOf('=');
    if (at < 0) throw new CommandFailure(`"${pair}" is not URL=FILE`);
    const base = baseUrl(pair.slice(0, at)).href;
    const delegations = registries.get(base) ?? new Delegations();
    registries.set(base, delegations);
    await readDelegations(io, pair.slice(at + 1), delegations, signal);
  }
  const files = redirectFiles(
    [...registries].map(([base, delegations]) => ({ base, delegations })),
    new Date(),
  );
  for (const [name, text] of Object.entries(files)) await writeTexts(io, fileIn(out, name), 'utf8', [text], signal);
}

function fileIn(directory: string, name: string): string {
  return join(directory, `${name}.json`);
}

function baseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new CommandFailure(`"${text}" is not a base URL`);
  }
  return url;
}

async function readOthers(directory: string | undefined, isOurs: (base: URL) => boolean): Promise<ServiceTable> {
  if (directory === undefined) return createServiceTable({}, isOurs);
  const found = await Promise.all(
    bootstrapNames.map((name) => unlessAbsent(readFile(fileIn(directory, name), 'utf8'))),
  );
  if (found.every((text) => text === undefined)) throw new CommandFailure(`${directory} has no bootstrap files`);
  return createServiceTable(Object.fromEntries(bootstrapNames.map((name, at) => [name, found[at]])), isOurs);
}

async function mainSource(io: Io): Promise<string> {
  const { sources } = await withClient(io, 'objects', ObjectReaderServiceService, (reader) => reader.listSources({}));
  const main = sources.find(({ kind }) => kind === SourceKind.SOURCE_KIND_MAIN);
  if (main === undefined) throw new CommandFailure('The registry has no source of its own');
  return main.name;
}

/** The objects that no other one of their type contains, except the root objects, which contain all numbers. */
async function outermostObjects(io: Io, source: string, signal: AbortSignal): Promise<RpslObject[]> {
  const everything = { inetnum: '0.0.0.0/0', inet6num: '::/0', 'as-block': 'AS0 - AS4294967295' };
  return withClient(io, 'objects', HierarchyServiceService, async (hierarchy) => {
    const outermost: RpslObject[] = [];
    for (const type of bootstrapTypes) {
      const request = {
        source,
        type,
        resource: everything[type],
        scope: ContainedScope.CONTAINED_SCOPE_CHILDREN,
        limit: 0,
        view: View.VIEW_FILTERED,
      };
      for await (const { objects } of hierarchy.listContained(request, { deadlineMs: maxReadMs, signal })) {
        for (const { text } of objects) {
          const parsed = parseObject(text);
          if ('object' in parsed) outermost.push(parsed.object);
        }
      }
    }
    return outermost;
  });
}

async function readDelegations(io: Io, file: string, delegations: Delegations, signal: AbortSignal): Promise<void> {
  let number = 0;
  for await (const line of linesOf(io, file)) {
    signal.throwIfAborted();
    number += 1;
    if (!delegations.addLine(line)) throw new CommandFailure(`${file}:${number}: not a delegation: ${line}`);
  }
  if (number === 0) throw new CommandFailure(`${file} is empty`);
}

async function* linesOf(io: Io, file: string): AsyncGenerator<string> {
  const input = await openInput([file], io.stdin);
  let rest = '';
  for await (const chunk of await input.from(1)) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop()!;
    if (rest.length > maxLineLength) throw new CommandFailure(`${file}: a line is too long`);
    for (const line of lines) yield line.trimEnd();
  }
  if (rest !== '') yield rest.trimEnd();
}
