import type { SearchServiceService } from '@cadastre/proto/search';
import type { Handlers } from '@cadastre/service';
import type { Context } from '../context.js';
import { requireIndexed } from './require-indexed.js';

/** Starts or continues a rebuild, which goes on after the response. */
export function rebuildIndex(context: Context): Handlers<typeof SearchServiceService>['rebuildIndex'] {
  return async (request) => {
    const source = requireIndexed(context, request.source);
    return { id: await context.indexer.rebuild(source, { fresh: request.fromStart ?? false }) };
  };
}
