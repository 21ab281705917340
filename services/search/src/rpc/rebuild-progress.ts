import { type Rebuild, RebuildPhase } from '@cadastre/proto/search';
import type { Context } from '../context.js';
import type { RebuildState } from '../index-port.js';

const phases: Readonly<Record<RebuildState['phase'], RebuildPhase>> = {
  export: RebuildPhase.REBUILD_PHASE_EXPORT,
  indexes: RebuildPhase.REBUILD_PHASE_INDEXES,
  changes: RebuildPhase.REBUILD_PHASE_CHANGES,
  finished: RebuildPhase.REBUILD_PHASE_FINISHED,
  failed: RebuildPhase.REBUILD_PHASE_FAILED,
};

/** Whether no process will continue a rebuild. */
export function hasEnded({ phase }: RebuildState): boolean {
  return phase === 'finished' || phase === 'failed';
}

/**
 * The progress of a rebuild. `indexed` is the number of objects in the index in use, `newest` the registry's newest
 * serial.
 */
export function rebuildProgress(
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
