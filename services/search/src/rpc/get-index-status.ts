import type { SearchServiceService, SourceIndexStatus } from '@cadastre/proto/search';
import type { Handlers } from '@cadastre/service';
import { allSources, type Context } from '../context.js';
import { hasEnded, rebuildProgress } from './rebuild-progress.js';

/** The position of each source's index, and its newest rebuild; a source without an index is at serial 0, without a time. */
export function getIndexStatus(context: Context): Handlers<typeof SearchServiceService>['getIndexStatus'] {
  return async () => {
    const newest = await context.indexer.newest();
    const sources = allSources(context.sources);
    return { sources: await Promise.all(sources.map((source) => statusOf(context, source, newest?.get(source)))) };
  };
}

async function statusOf(context: Context, source: string, newest: bigint | undefined): Promise<SourceIndexStatus> {
  const { index } = context;
  const [position, objects, state] = await Promise.all([
    index.position(source),
    index.count(source),
    index.rebuildState(source),
  ]);
  const { serial = 0n, reached } = position ?? {};
  return {
    source,
    serial,
    reached,
    objects,
    rebuilding: state !== undefined && !hasEnded(state),
    // The index may have advanced since the registry reported its newest serial.
    behind: newest === undefined ? undefined : newest > serial ? newest - serial : 0n,
    rebuild: state && rebuildProgress(context, source, state, { indexed: objects, newest: newest ?? 0n }),
  };
}
