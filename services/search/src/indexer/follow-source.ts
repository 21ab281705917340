import { changesBetweenChecks, isFarBehind, isLostPlace, newestChange, watchChanges } from '@cadastre/changes';
import { pause, ServiceError } from '@cadastre/service';
import type { Position } from '../index-port.js';
import { changesOf } from './objects-backend.js';
import { beginSourceRebuild, type RebuildOptions } from './rebuild-source.js';

export interface FollowOptions extends RebuildOptions {
  /** Called whenever the index of a source has advanced, or the registry reported that there is nothing newer. */
  readonly onProgress: (source: string) => void;
  /** Called when the index of a source no longer follows the feed. */
  readonly onEnd: (source: string) => void;
}

/** Pause between checks whether the rebuild of another process has ended. */
const lookAgainMs = 1_000;

/**
 * Brings the index of a source up to date and follows the feed, starting at the position in the index. Throws when it
 * cannot continue; the caller may retry.
 */
export async function followSource(o: FollowOptions, source: string, signal: AbortSignal): Promise<void> {
  const position = await o.index.position(source);
  if (position === undefined) {
    await rebuild(o, source, signal);
    return;
  }
  const end = await followFrom(o, source, position, signal)
    .catch((error: unknown) => {
      if (!isLostPlace(error)) throw error;
      return 'out of range' as const;
    })
    .finally(() => o.onEnd(source));
  if (signal.aborted) return;
  const back =
    end === 'out of range' && position.serial > (await newestChange(o.backend.reader, source, signal)).serial;
  const onBegin = () => {
    if (end === 'far behind') {
      o.logger.info({ source }, 'index is far behind the registry: rebuilding');
    } else {
      const reason = back ? 'index is ahead of the registry' : 'the feed no longer has the next change of the index';
      o.logger.warn({ source, serial: String(position.serial) }, `${reason}: rebuilding`);
    }
  };
  await rebuild(o, source, signal, { back, onBegin });
}

async function rebuild(
  o: FollowOptions,
  source: string,
  signal: AbortSignal,
  { back = false, onBegin = () => {} } = {},
): Promise<void> {
  try {
    const begun = await beginSourceRebuild(o, source, signal, back ? { back } : {});
    onBegin();
    await begun.run(signal);
  } catch (error) {
    if (!(error instanceof ServiceError && error.kind === 'conflict')) throw error;
    // Another process rebuilds the source: afterwards there is something to follow.
    await pause(lookAgainMs, signal);
    return;
  }
  o.onProgress(source);
}

/** Applies changes until the signal is aborted, or until a rebuild of the index is cheaper. */
async function followFrom(
  o: FollowOptions,
  source: string,
  start: Position,
  signal: AbortSignal,
): Promise<'aborted' | 'far behind'> {
  let after = start.serial;
  let checked = after;
  if (await needsRebuild(o, source, after, signal)) return 'far behind';
  for await (const response of watchChanges(o.backend.feed, { source, from: start, latestOnly: true, signal })) {
    const { serial, position } = response;
    if (serial - checked >= changesBetweenChecks) {
      checked = serial;
      if (await needsRebuild(o, source, after, signal)) return 'far behind';
    }
    if (serial > after) {
      await o.index.apply(source, { after, ...changesOf(response, o.logger), ...position });
    } else if ((await o.index.position(source)) === undefined) {
      // A heartbeat does not change the index, but a lost one is built again.
      throw new ServiceError('unavailable', `The index of ${source} is gone`);
    }
    after = serial;
    o.onProgress(source);
  }
  return 'aborted';
}

/** Whether the index is so far behind that a rebuild is cheaper. */
async function needsRebuild(o: FollowOptions, source: string, after: bigint, signal: AbortSignal): Promise<boolean> {
  const newest = await newestChange(o.backend.reader, source, signal);
  return isFarBehind(newest, after, () => o.index.count(source));
}
