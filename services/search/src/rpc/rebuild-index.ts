import type { SearchServiceService } from '@cadastre/proto/search';
import { type Handlers, ServiceError } from '@cadastre/service';
import { allSources, type Context } from '../context.js';
import { queryMessages } from '../query/query-messages.js';

/** Begins a rebuild, which goes on after the answer. */
export function rebuildIndex(context: Context): Handlers<typeof SearchServiceService>['rebuildIndex'] {
  return async (request) => {
    const source = request.source.toUpperCase();
    if (!allSources(context.sources).includes(source)) {
      throw new ServiceError('invalid', [queryMessages.invalidSource(request.source)]);
    }
    await context.indexer.rebuild(source);
    return {};
  };
}
