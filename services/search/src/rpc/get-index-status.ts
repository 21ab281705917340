import type { SearchServiceService } from '@cadastre/proto/search';
import type { Handlers } from '@cadastre/service';
import { allSources, type Context } from '../context.js';

/** The position of each source's index; a source without one is at serial 0, without a time. */
export function getIndexStatus(context: Context): Handlers<typeof SearchServiceService>['getIndexStatus'] {
  const { index, indexer } = context;
  return async () => ({
    sources: await Promise.all(
      allSources(context.sources).map(async (source) => {
        const [position, objects] = await Promise.all([index.position(source), index.count(source)]);
        const { serial = 0n, reached } = position ?? {};
        return { source, serial, reached, rebuilding: indexer.isRebuilding(source), objects };
      }),
    ),
  });
}
