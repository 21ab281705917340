import type { SearchServiceService } from '@cadastre/proto/search';
import type { Handlers } from '@cadastre/service';
import type { Context } from '../context.js';
import { searchPages, turnsOf } from './search-pages.js';

/** Runs a query and streams its result in pages of at most 100 objects and 1 MiB, at the pace of the reader. */
export function search(context: Context): Handlers<typeof SearchServiceService>['search'] {
  return async function* (request, call) {
    const turns = turnsOf(context, request, call);
    for await (const { response } of await searchPages(context, request, call, turns)) {
      yield { ...response, processingMs: Math.round(turns.takeSpentMs()) };
    }
  };
}
