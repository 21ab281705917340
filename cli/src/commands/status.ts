import { ObjectReaderServiceService, type Source, SourceKind } from '@cadastre/proto/objects';
import { SearchServiceService } from '@cadastre/proto/search';
import { ServiceError } from '@cadastre/service';
import type { Command } from 'commander';
import type { Run } from '../action.js';
import { findAddresses } from '../addresses.js';
import { withClient } from '../clients.js';
import { explain } from '../failure.js';
import { type ExitCode, exitCode, type Io, say } from '../io.js';
import { table } from './table.js';

/** Adds `cadastre status`. */
export function addStatusCommand(program: Command, io: Io, run: Run): void {
  program
    .command('status')
    .description('Show sources, serials and the state of the search index. Exit code 2 when a service is unavailable.')
    .action(run(() => showStatus(io)));
}

async function showStatus(io: Io): Promise<ExitCode> {
  const { sources } = await withClient(io, 'objects', ObjectReaderServiceService, (reader) => reader.listSources({}));
  const search = findAddresses(io.env).search === undefined ? 'not asked' : await searchSerials(io);
  const rows = sources.map((source) => row(source, search));
  for (const line of table(['SOURCE', 'KIND', 'SERIAL', 'SEARCH INDEX'], rows)) say(io, line);
  if (!(search instanceof ServiceError)) return exitCode.done;
  say(io, `search: ${explain(search)}`);
  return exitCode.failed;
}

type SearchState = Map<string, bigint> | ServiceError | 'not asked' | 'no index';

function row(source: Source, search: SearchState): string[] {
  const kind = source.kind === SourceKind.SOURCE_KIND_GRS ? 'grs' : 'main';
  return [source.name, kind, String(source.serial), indexState(source.name, search)];
}

function indexState(source: string, search: SearchState): string {
  if (search instanceof ServiceError) return 'away';
  return typeof search === 'string' ? search : String(search.get(source) ?? 'no index');
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
