import { type Rebuild, RebuildPhase, type SearchServiceService, type SourceIndexStatus } from '@cadastre/proto/search';
import { type Handlers, pause, ServiceError } from '@cadastre/service';
import { allSources, type Context } from '../context.js';
import type { RebuildState } from '../index-port.js';
import { requireIndexed } from './sources.js';

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

const phases: Readonly<Record<RebuildState['phase'], RebuildPhase>> = {
  export: RebuildPhase.REBUILD_PHASE_EXPORT,
  indexes: RebuildPhase.REBUILD_PHASE_INDEXES,
  changes: RebuildPhase.REBUILD_PHASE_CHANGES,
  finished: RebuildPhase.REBUILD_PHASE_FINISHED,
  failed: RebuildPhase.REBUILD_PHASE_FAILED,
};

/** Whether no process will continue a rebuild. */
function hasEnded({ phase }: RebuildState): boolean {
  return phase === 'finished' || phase === 'failed';
}

/**
 * The progress of a rebuild. `indexed` is the number of objects in the index in use, `newest` the registry's newest
 * serial.
 */
function rebuildProgress(
  { indexer }: Pick<Context, 'indexer'>,
  source: string,
  state: RebuildState,
  { indexed, newest }: { readonly indexed: bigint; readonly newest: bigint },
): Rebuild {
  const { id, phase, serial, started, advanced, failure = '' } = state;
  const copied = indexer.copied(source);
  const objects = copied?.rebuild === id && copied.objects > state.objects ? copied.objects : state.objects;
  const expected = indexed > 0n ? indexed : newest;
  const expectedObjects = phase === 'export' && expected > objects ? expected : objects;
  return { id, phase: phases[phase], objects, expectedObjects, serial, started, advanced, failure };
}
