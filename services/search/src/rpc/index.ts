import type { SearchServiceService } from '@cadastre/proto/search';
import type { Handlers } from '@cadastre/service';
import type { Context } from '../context.js';
import { getIndexStatus } from './get-index-status.js';
import { rebuildIndex } from './rebuild-index.js';
import { search } from './search.js';

/** All methods of this service. */
export function searchHandlers(context: Context): Handlers<typeof SearchServiceService> {
  return {
    search: search(context),
    getIndexStatus: getIndexStatus(context),
    rebuildIndex: rebuildIndex(context),
  };
}

/** Who may call, by common name, besides the operator's own systems. */
export function allowedCallers(operators: string[]): Record<string, string[]> {
  return {
    'cadastre.search.v1.SearchService': ['gateway', ...operators],
    '/cadastre.search.v1.SearchService/RebuildIndex': operators,
  };
}
