import type { SearchServiceService } from '@cadastre/proto/search';
import { asciiUpperCase } from '@cadastre/rpsl';
import { type Handlers, ServiceError } from '@cadastre/service';
import { allSources, type Context } from '../context.js';
import { queryMessages } from '../query/query-messages.js';

/** Starts a rebuild, which continues after the response. */
export function rebuildIndex(context: Context): Handlers<typeof SearchServiceService>['rebuildIndex'] {
  return async (request) => {
    const source = asciiUpperCase(request.source);
    if (!allSources(context.sources).includes(source)) {
      throw new ServiceError('invalid', [queryMessages.invalidSource(request.source)]);
    }
    await context.indexer.rebuild(source);
    return {};
  };
}
