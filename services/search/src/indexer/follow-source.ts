import { ServiceError } from '@cadastre/service';
import { changesOf } from './batches.js';
import { newestSerial, watchChanges } from './objects-backend.js';
import { beginSourceRebuild, type RebuildOptions } from './rebuild-source.js';

export interface FollowOptions extends RebuildOptions {
  /** Called whenever the index of a source has advanced. */
  readonly onProgress: (source: string) => void;
}

/**
 * Brings the index of a source up to date and keeps it so, starting at the position in the index. Throws when it cannot
 * continue; the caller may retry.
 */
export async function followSource(o: FollowOptions, source: string, signal: AbortSignal): Promise<void> {
  const position = await o.index.position(source);
  if (position === undefined) {
    const rest = await beginSourceRebuild(o, source);
    await rest(signal);
    o.onProgress(source);
    return;
  }
  try {
    await followFrom(o, source, position.serial, signal);
  } catch (error) {
    if (!isOutOfRange(error)) throw error;
    const back = position.serial > (await newestSerial(o.backend, source, signal));
    const reason = back ? 'index is ahead of the registry' : 'the feed no longer has the next change of the index';
    o.logger.warn({ source, serial: String(position.serial) }, `${reason}: rebuilding`);
    const rest = await beginSourceRebuild(o, source, back);
    await rest(signal);
    o.onProgress(source);
  }
}

async function followFrom(o: FollowOptions, source: string, start: bigint, signal: AbortSignal): Promise<void> {
  let after = start;
  for await (const response of watchChanges(o.backend, source, after, signal)) {
    const { serial } = response;
    await o.index.apply(source, { after, ...changesOf(response, o.logger), serial });
    after = serial;
    o.onProgress(source);
  }
  if (!signal.aborted) throw new ServiceError('unavailable', 'The change feed ended');
}

/** The feed cannot continue there: the registry was restored to an earlier state, or removed older changes. */
function isOutOfRange(error: unknown): boolean {
  return error instanceof ServiceError && error.kind === 'out-of-range';
}
