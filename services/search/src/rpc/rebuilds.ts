import type { SearchServiceService } from '@cadastre/proto/search';
import { type Handlers, pause, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { hasEnded, rebuildProgress } from './rebuild-progress.js';
import { requireIndexed } from './sources.js';

const everyMs = 1_000;

/** Starts or continues a rebuild, which runs on after the response. */
export function rebuildIndex(context: Context): Handlers<typeof SearchServiceService>['rebuildIndex'] {
  return async (request) => {
    const source = requireIndexed(context, request.source);
    return { id: await context.indexer.rebuild(source, { fresh: request.fromStart ?? false }) };
  };
}

/** Reports the progress of a rebuild until it has ended: the stored progress, because another process may run it. */
export function watchRebuild(context: Context): Handlers<typeof SearchServiceService>['watchRebuild'] {
  return async function* (request, { signal }) {
    const source = requireIndexed(context, request.source);
    const expected = {
      indexed: await context.index.count(source),
      newest: (await context.indexer.newest())?.get(source) ?? 0n,
    };
    while (!signal.aborted) {
      const state = await context.index.rebuildState(source);
      if (state?.id !== request.id) throw new ServiceError('not-found', `No such rebuild of ${source}, or a newer one`);
      yield { rebuild: rebuildProgress(context, source, state, expected) };
      if (hasEnded(state)) return;
      await pause(everyMs, signal);
    }
  };
}
