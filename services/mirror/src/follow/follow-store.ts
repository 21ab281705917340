import type { Pool, PoolClient } from 'pg';
import { classNames } from './classes.js';
import type { Applied, Checked, FileHashes, MirrorFault, Origin, OriginKind, Progress } from './origin.js';

type Db = Pick<Pool | PoolClient, 'query'>;

/** A copy in the database. */
export interface StoredMirror {
  readonly source: string;
  readonly kind: OriginKind;
  readonly address: string;
  readonly originSource: string;
  /** By name; null for all. */
  readonly classes: string[] | null;
  readonly state: object | null;
  readonly sessionId: string | null;
  readonly version: number | null;
  readonly published: Date | null;
  readonly checked: Date | null;
  readonly changed: Date | null;
  readonly failed: Date | null;
  readonly fault: MirrorFault['kind'] | null;
  readonly error: string | null;
  readonly staleSince: Date | null;
  readonly applied: Applied;
  readonly resets: number;
  readonly unguarded: boolean;
}

const columns = `source, kind, address, origin_source as "originSource", classes, state, session_id as "sessionId",
  version::float8 as version, published, checked, changed, failed, fault, error, stale_since as "staleSince",
  json_build_object('loads', loads, 'puts', puts, 'deletes', deletes, 'rejected', rejected) as applied,
  resets::float8 as resets, unguarded`;

/** The copies that have a row, of these sources. */
export async function readMirrors(db: Db, sources: readonly string[]): Promise<StoredMirror[]> {
  const { rows } = await db.query<StoredMirror>({
    name: 'read-mirrors',
    text: `select ${columns} from mirror where source = any($1) order by source`,
    values: [sources],
  });
  return rows;
}

/** The row of a copy; undefined when there is none, or when it has another origin. */
export async function readMirror(db: Db, source: string, origin: Origin): Promise<StoredMirror | undefined> {
  const [mirror] = await readMirrors(db, [source]);
  if (mirror?.kind !== origin.kind || mirror.originSource !== origin.originSource) return undefined;
  return mirror.address === origin.address && hasClasses(mirror, origin) ? mirror : undefined;
}

/** Whether the copy has the classes of objects that the operator wants. */
export function hasClasses({ classes }: Pick<StoredMirror, 'classes'>, origin: Pick<Origin, 'classes'>): boolean {
  return JSON.stringify(classes) === JSON.stringify(classNames(origin.classes));
}

/**
 * The row of a copy; made when there is none, and reset when its origin is another one, or has other classes. The load
 * after other classes may delete any number of objects: the operator wants it.
 */
export async function openMirror(db: Db, source: string, origin: Origin): Promise<StoredMirror> {
  const { rows } = await db.query<StoredMirror>({
    name: 'open-mirror',
    text: `insert into mirror as m (source, kind, address, origin_source, classes) values ($1, $2, $3, $4, $5)
           on conflict (source) do update set
             kind = excluded.kind, address = excluded.address, origin_source = excluded.origin_source,
             classes = excluded.classes,
             state = case when (m.kind, m.origin_source) = (excluded.kind, excluded.origin_source)
                          and m.address = excluded.address and m.classes is not distinct from excluded.classes
                          then m.state end,
             unguarded = m.unguarded or m.classes is distinct from excluded.classes
           returning ${columns}`,
    values: [source, origin.kind, origin.address, origin.originSource, classNames(origin.classes)],
  });
  const mirror = rows[0]!;
  if (mirror.state === null) await db.query('delete from mirror_file where source = $1', [source]);
  return mirror;
}

/** Changes of the files of an origin. */
export interface FileChanges {
  /** Files that are new, or have another hash. */
  readonly named: FileHashes;
  /** Names of removed files. */
  readonly gone: readonly string[];
}

/** Stores the progress of an update; false when an operator has reset the copy since its row was read. */
export async function saveProgress(
  db: Db,
  { source, resets }: StoredMirror,
  progress: Progress,
  { files, now }: { readonly files: FileChanges; readonly now: Date },
): Promise<boolean> {
  const { state, sessionId = null, version = null, applied } = progress;
  const { loads, puts, deletes, rejected } = applied ?? { loads: 0, puts: 0, deletes: 0, rejected: 0 };
  const { rowCount } = await db.query({
    name: 'save-mirror-progress',
    text: `update mirror set state = $3, session_id = $4, version = $5,
             loads = loads + $6, puts = puts + $7, deletes = deletes + $8, rejected = rejected + $9,
             changed = case when $7 + $8 > 0 then $10 else changed end,
             unguarded = unguarded and $6 = 0
           where source = $1 and resets = $2`,
    values: [source, resets, state, sessionId, version, loads, puts, deletes, rejected, now],
  });
  if (rowCount !== 1) return false;
  await saveFiles(db, source, files);
  return true;
}

async function saveFiles(db: Db, source: string, { named, gone }: FileChanges): Promise<void> {
  const names = Object.keys(named);
  if (names.length + gone.length === 0) return;
  await db.query({
    name: 'save-mirror-files',
    text: `with gone as (delete from mirror_file where source = $1 and name = any($2))
           insert into mirror_file (source, name, hash)
             select $1, name, hash from unnest($3::text[], $4::text[]) file (name, hash)
           on conflict (source, name) do update set hash = excluded.hash`,
    values: [source, gone, names, Object.values(named)],
  });
}

/** The files in the last progress of a copy. */
export async function readFiles(db: Db, source: string): Promise<FileHashes> {
  const { rows } = await db.query<{ name: string; hash: string }>({
    name: 'read-mirror-files',
    text: 'select name, hash from mirror_file where source = $1',
    values: [source],
  });
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}

/** A registry with a publication time renews that at least daily. */
const maxSilence = '24 hours';

/** Stores that the copy is current; it is nevertheless stale when the registry has been silent for a day. */
export async function saveChecked(db: Db, { source, resets }: StoredMirror, { publishedAt }: Checked, now: Date) {
  await db.query({
    name: 'save-mirror-checked',
    text: `update mirror set checked = $3::timestamptz, published = $4, failed = null, fault = null, error = null,
             stale_since = case when $4::timestamptz < $3::timestamptz - interval '${maxSilence}'
                                then $4::timestamptz + interval '${maxSilence}' end
           where source = $1 and resets = $2`,
    values: [source, resets, now, publishedAt ?? null],
  });
}

/** Maximum length of the stored text of a fault. */
const maxError = 2_000;

export async function saveFault(
  db: Db,
  { source }: StoredMirror,
  fault: Pick<MirrorFault, 'kind' | 'message'>,
  now: Date,
) {
  await db.query({
    name: 'save-mirror-fault',
    text: `update mirror set failed = $2, fault = $3, error = $4, stale_since = coalesce(stale_since, $2)
           where source = $1`,
    values: [source, now, fault.kind, fault.message.slice(0, maxError)],
  });
}

/** Removes the stored state of the origin. */
export async function resetMirror(db: Db, source: string): Promise<void> {
  await db.query({
    name: 'reset-mirror',
    text: `with gone as (delete from mirror_file where source = $1)
           update mirror set state = null, session_id = null, version = null, resets = resets + 1, unguarded = true
           where source = $1`,
    values: [source],
  });
}

/** Number of resets of a copy. */
export async function readResets(db: Db, source: string): Promise<number> {
  const { rows } = await db.query<{ resets: string }>({
    name: 'read-mirror-resets',
    text: 'select resets from mirror where source = $1',
    values: [source],
  });
  return Number(rows[0]?.resets ?? 0);
}
