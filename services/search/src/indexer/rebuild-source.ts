import { type Logger, ServiceError } from '@cadastre/service';
import type { Position, Rebuild, SearchIndex } from '../index-port.js';
import { changesOf, documentsOf } from './batches.js';
import { exportAll, instantOf, newestSerial, type ObjectsBackend, watchChanges } from './objects-backend.js';

export interface RebuildOptions {
  readonly index: SearchIndex;
  readonly backend: ObjectsBackend;
  readonly logger: Logger;
}

type Start = Pick<Position, 'serial' | 'instant'>;

/** The rest of a rebuild that has begun. */
export type BegunRebuild = (signal: AbortSignal) => Promise<void>;

/**
 * Begins to rebuild the index of a source beside the one in use. The returned function exports every object, applies
 * what changed meanwhile, and switches over when it has caught up. `back`: the index in use is ahead of the registry.
 * Errors: ServiceError 'conflict' while another rebuild of the source is running.
 */
export async function beginSourceRebuild(o: RebuildOptions, source: string, back = false): Promise<BegunRebuild> {
  const copy = await o.index.beginRebuild(source);
  return async (signal) => {
    try {
      const start = await fill(o, source, copy, signal);
      await catchUp(o, source, copy, start, back, signal);
      o.logger.info({ source }, 'index rebuilt');
    } finally {
      await copy.abandon();
    }
  };
}

/**
 * Adds every object; reads a page while the index stores the one before. Returns the position from which to follow
 * the feed.
 */
async function fill(o: RebuildOptions, source: string, copy: Rebuild, signal: AbortSignal): Promise<Start> {
  let start: Start | undefined;
  let storing = Promise.resolve();
  try {
    for await (const page of exportAll(o.backend, source, signal)) {
      start ??= { serial: page.serial, instant: page.instant };
      const documents = documentsOf(page.objects, o.logger);
      await storing;
      if (documents.length > 0) storing = copy.fill(documents);
      storing.catch(() => {}); // awaited with the next page
    }
  } finally {
    await storing;
  }
  signal.throwIfAborted();
  if (start === undefined) throw new ServiceError('unavailable', 'The export is empty');
  return start;
}

async function catchUp(
  o: RebuildOptions,
  source: string,
  copy: Rebuild,
  start: Start,
  back: boolean,
  signal: AbortSignal,
): Promise<void> {
  const target = await newestSerial(o.backend, source, signal);
  if (start.serial >= target && (await copy.finish(start.serial, { back, instant: start.instant }))) return;
  for await (const response of watchChanges(o.backend, source, start, signal)) {
    const { documents, deletions } = changesOf(response, o.logger);
    await copy.add(documents);
    await copy.remove(deletions);
    const instant = instantOf(response);
    if (response.serial >= target && (await copy.finish(response.serial, { back, instant }))) return;
  }
  throw new ServiceError('unavailable', 'The change feed ended');
}
