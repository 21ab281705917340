import type { LoadPosition, LoadSettings } from '@cadastre/proto/objects';
import { inTransactionOn, ServiceError } from '@cadastre/service';
import type pg from 'pg';
import { currentSerial } from '../store/serials.js';
import type { Source } from '../store/sources.js';
import { beginReplacing, newestReplacingLoad } from '../store/staged.js';
import { type NamedKeys, noNamedKeys } from './named-keys.js';

/** The counts of a load. */
export interface LoadCounts {
  readonly created: number;
  readonly modified: number;
  readonly unchanged: number;
  readonly deleted: number;
  readonly rejected: number;
}

/** Where a load starts. */
export interface LoadStart {
  readonly isResumed: boolean;
  /** The first line of the text. */
  readonly line: number;
  /** The serial of the source before the load, or before the broken load that it resumes. */
  readonly since: bigint;
  /** The counts of the load to resume. */
  readonly counts: LoadCounts;
  /** Grows while the load reads its text; its salt names the load. */
  readonly named: NamedKeys;
  /** Whether the changes stay in the staging table until the end of the load. */
  readonly staged: boolean;
  /** Start of an earlier replacing load that is not finished. */
  readonly replacingSince: Date | undefined;
}

/**
 * Starts a load, or resumes one that broke (`LoadSettings.resume`). Errors: ServiceError 'invalid' for a position that
 * no load had; 'conflict' when the database no longer has the changes of the broken load.
 */
export async function startLoad(
  client: pg.ClientBase,
  source: Source,
  { resume, replace, dryRun }: LoadSettings,
  now: Date,
): Promise<LoadStart> {
  const newest = await newestReplacingLoad(client, source.id);
  const replacingSince = newest?.visible ? newest.since : undefined;
  if (resume !== undefined && resume.line > 1n) {
    if (!/^[\w-]{8}$/.test(resume.load)) throw new ServiceError('invalid', 'No load had this position');
    if (resume.staged && newest?.load !== resume.load) {
      throw new ServiceError('conflict', `Another load of ${source.name} began meanwhile: load again`);
    }
    return resumed(resume, replacingSince);
  }
  const named = noNamedKeys();
  const since = await currentSerial(client, source.id);
  // Readers may see an empty source grow, or it is filled in one step (`storeAtOnce`).
  const staged = replace && !dryRun && since > 0n;
  if (replace && !dryRun) {
    const begun = { load: named.accepted.salt, since: now, visible: !staged };
    await inTransactionOn(client, () => beginReplacing(client, source.id, begun));
  }
  const counts = { created: 0, modified: 0, unchanged: 0, deleted: 0, rejected: 0 };
  return { isResumed: false, line: 1, since, counts, named, staged, replacingSince };
}

function resumed(position: LoadPosition, replacingSince: Date | undefined): LoadStart {
  return {
    isResumed: true,
    line: Number(position.line),
    since: position.since,
    counts: {
      created: Number(position.created),
      modified: Number(position.modified),
      unchanged: Number(position.unchanged),
      rejected: Number(position.rejected),
      deleted: 0,
    },
    named: noNamedKeys(position.load),
    staged: position.staged,
    replacingSince,
  };
}
