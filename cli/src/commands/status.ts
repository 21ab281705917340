import { ObjectReaderServiceService, type Source, SourceKind } from '@cadastre/proto/objects';
import { SearchServiceService } from '@cadastre/proto/search';
import { ServiceError } from '@cadastre/service';
import type { Command } from 'commander';
import type { Run } from '../action.js';
import { findAddresses } from '../addresses.js';
import { withClient } from '../clients.js';
import { explain } from '../failure.js';
import { type ExitCode, exitCode, type Io, note, say } from '../io.js';
import { asList, type ListOptions, printList } from './results.js';

/** Adds `cadastre status`. */
export function addStatusCommand(program: Command, io: Io, run: Run): void {
  asList(program.command('status'))
    .description('Show sources, serials and the state of the search index. Exit code 2 when a service is unavailable.')
    .action(run((options: ListOptions) => showStatus(io, options)));
}

async function showStatus(io: Io, options: ListOptions): Promise<ExitCode> {
  const { sources } = await withClient(io, 'objects', ObjectReaderServiceService, (reader) => reader.listSources({}));
  const search = findAddresses(io.env).search === undefined ? 'not asked' : await searchSerials(io);
  const none = search instanceof ServiceError ? 'away' : typeof search === 'string' ? search : 'no index';
  const records = sources.map((source) => recordOf(source, search));
  const isReplacing = records.some(({ replacingSince }) => replacingSince !== null);
  const more = isReplacing || options.json ? [replacing] : [];
  await printList(io, [...columns, { name: 'searchIndex', head: 'SEARCH INDEX', none }, ...more], records, options);
  if (!(search instanceof ServiceError)) return exitCode.done;
  (options.json ? note : say)(io, `search: ${explain(search)}`);
  return exitCode.failed;
}

type SearchState = Map<string, bigint> | ServiceError | 'not asked' | 'no index';

const columns = ['source', 'kind', 'serial'] as const;

/** Since when an unfinished load with --replace has stored a part. */
const replacing = 'replacingSince' as const;

function recordOf(source: Source, search: SearchState) {
  const kind = source.kind === SourceKind.SOURCE_KIND_GRS ? 'grs' : 'main';
  const searchIndex = search instanceof Map ? (search.get(source.name) ?? null) : null;
  const { name, serial, replacingSince = null } = source;
  return { source: name, kind, serial, searchIndex, replacingSince };
}

async function searchSerials(io: Io): Promise<SearchState> {
  try {
    const { sources } = await withClient(io, 'search', SearchServiceService, (search) => search.getIndexStatus({}));
    return new Map(sources.map(({ source, serial }) => [source, serial]));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.kind === 'unimplemented' ? 'no index' : error;
  }
}
