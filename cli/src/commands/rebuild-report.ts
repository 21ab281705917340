import { type Rebuild, RebuildPhase } from '@cadastre/proto/search';
import { type Io, note } from '../io.js';
import { createBar, maxBeforeEnd, secondsBetweenLines } from '../load/progress.js';
import { printableLine } from '../printable.js';

/** Shows the progress of a rebuild. */
export interface RebuildReport {
  show(rebuild: Rebuild): void;
  /** Restores the terminal; may be called several times. */
  end(): void;
}

/** A bar on a terminal; otherwise one line every few seconds, and when it waits after a failure. */
export function createRebuildReport(io: Io, source: string): RebuildReport {
  return io.stderr.isTTY ? bar(io, source) : lines(io, source);
}

function bar(io: Io, source: string): RebuildReport {
  const single = createBar(io, `${source} {bar} {percentage}% | {state}`);
  single.start(1, 0, { state: 'starting' });
  return {
    show: (rebuild) => single.update(shareOf(rebuild), { state: stateOf(rebuild, 60) }),
    end: () => single.stop(),
  };
}

function lines(io: Io, source: string): RebuildReport {
  let next = 0;
  let reported = '';
  return {
    show: (rebuild) => {
      if (Date.now() < next && rebuild.failure === reported) return;
      next = Date.now() + secondsBetweenLines * 1000;
      reported = rebuild.failure;
      note(io, `${source}: ${stateOf(rebuild, 500)}`);
    },
    end: () => undefined,
  };
}

function shareOf({ phase, objects, expectedObjects }: Rebuild): number {
  if (phase === RebuildPhase.REBUILD_PHASE_FINISHED) return 1;
  if (phase !== RebuildPhase.REBUILD_PHASE_EXPORT) return maxBeforeEnd;
  return Math.min(Number(objects) / Math.max(Number(expectedObjects), 1), maxBeforeEnd);
}

function stateOf({ phase, objects, expectedObjects, failure }: Rebuild, maxFailureLength: number): string {
  if (failure !== '' && phase !== RebuildPhase.REBUILD_PHASE_FAILED) {
    return `${objects} objects copied, waits: ${printableLine(failure, maxFailureLength)}`;
  }
  const states: Partial<Record<RebuildPhase, string>> = {
    [RebuildPhase.REBUILD_PHASE_EXPORT]: `${objects} of about ${expectedObjects} objects copied`,
    [RebuildPhase.REBUILD_PHASE_INDEXES]: `${objects} objects copied, building indexes`,
    [RebuildPhase.REBUILD_PHASE_CHANGES]: `${objects} objects copied, applying what changed meanwhile`,
    [RebuildPhase.REBUILD_PHASE_FAILED]: 'failed',
  };
  return states[phase] ?? `${objects} objects`;
}
