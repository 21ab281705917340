import { SearchServiceService } from '@cadastre/proto/search';
import { type Implementation, implement, ServiceError } from '@cadastre/service';

function notYet(): never {
  throw new ServiceError('unimplemented', 'Search is not available yet');
}

/** All methods of this service. */
export function implementations(): Implementation[] {
  return [implement(SearchServiceService, { search: notYet, getIndexStatus: notYet, rebuildIndex: notYet })];
}

/** Who may call, by common name, besides the operator's own systems. */
export function allowedCallers(operators: string[]): Record<string, string[]> {
  return {
    'cadastre.search.v1.SearchService': ['gateway', ...operators],
    '/cadastre.search.v1.SearchService/RebuildIndex': operators,
  };
}
