import type { FeedPosition } from '@cadastre/changes';
import type { FileKind } from '@cadastre/nrtm';
import type { Pool, PoolClient } from 'pg';

/** The published state of a source. */
export interface Publication {
  readonly sessionId: string;
  readonly version: number;
  /** Every public change up to this serial is in a version. */
  readonly serial: bigint;
  /** The registry's time of that change, if it is known. */
  readonly instant: Date | undefined;
  /** `policyOf` its source in the session. */
  readonly policy: number;
  readonly began: Date;
}

/** A snapshot or a delta in the store. */
export interface PublishedFile {
  readonly kind: FileKind;
  readonly version: number;
  readonly name: string;
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  readonly bytes: number;
}

/** A file in the database. */
export interface KnownFile extends PublishedFile {
  readonly sessionId: string;
  readonly created: Date;
  /** Since when the notification does not name it; undefined while it does. */
  readonly dropped: Date | undefined;
}

type Db = Pool | PoolClient;

/** A row has null for what is undefined. */
type Row<T> = { readonly [name in keyof T]: undefined extends T[name] ? Exclude<T[name], undefined> | null : T[name] };

/** The publication of a source; undefined before its first session. */
export async function readPublication(db: Db, source: string): Promise<Publication | undefined> {
  const { rows } = await db.query<Row<Publication>>({
    name: 'read-publication',
    text: `select session_id as "sessionId", version::float8 as version, serial, instant, policy, began
           from publication where source = $1`,
    values: [source],
  });
  return rows[0] && { ...rows[0], instant: rows[0].instant ?? undefined };
}

/** All files of a source that the store has, also those that are about to go; by version. */
export async function readFiles(db: Db, source: string): Promise<KnownFile[]> {
  const { rows } = await db.query<Row<KnownFile>>({
    name: 'read-publication-files',
    text: `select session_id as "sessionId", kind, version::float8 as version, name, hash, bytes::float8 as bytes, created, dropped
           from publication_file where source = $1 order by publication_file.version`,
    values: [source],
  });
  return rows.map((row) => ({ ...row, dropped: row.dropped ?? undefined }));
}

/** Begins a session with its first snapshot. Marks the files of other sessions for removal. */
export async function beginSession(
  db: Db,
  o: { source: string; sessionId: string; at: FeedPosition; policy: number; snapshot: PublishedFile; now: Date },
): Promise<void> {
  const { source, sessionId, at, policy, snapshot, now } = o;
  await db.query({
    name: 'drop-all-publication-files',
    text: 'update publication_file set dropped = $2 where source = $1 and dropped is null',
    values: [source, now],
  });
  await db.query({
    name: 'begin-session',
    text: `insert into publication (source, session_id, version, serial, instant, policy, began)
           values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (source) do update set
             session_id = excluded.session_id, version = excluded.version,
             serial = excluded.serial, instant = excluded.instant, policy = excluded.policy, began = excluded.began`,
    values: [source, sessionId, snapshot.version, at.serial, at.instant, policy, now],
  });
  await insertFile(db, { source, sessionId, file: snapshot, now });
}

/** Adds a version with the changes up to a position. */
export async function addDelta(
  db: Db,
  o: { source: string; before: Publication; at: FeedPosition; delta: PublishedFile; now: Date },
): Promise<void> {
  const { source, before, at, delta, now } = o;
  await moveOn(db, { source, before, at, version: delta.version });
  await insertFile(db, { source, sessionId: before.sessionId, file: delta, now });
}

/** Records that the changes up to a position are not public. */
export async function passChanges(db: Db, o: { source: string; before: Publication; at: FeedPosition }): Promise<void> {
  await moveOn(db, { ...o, version: o.before.version });
}

async function moveOn(
  db: Db,
  { source, before, at, version }: { source: string; before: Publication; at: FeedPosition; version: number },
): Promise<void> {
  const { rowCount } = await db.query({
    name: 'move-publication',
    text: `update publication set version = $4, serial = $5, instant = $6
           where source = $1 and session_id = $2 and serial = $3`,
    values: [source, before.sessionId, before.serial, version, at.serial, at.instant],
  });
  if (rowCount !== 1) throw new Error(`another process publishes ${source}`);
}

/** Adds a snapshot, which replaces the one before; false when its session has ended. */
export async function addSnapshot(
  db: Db,
  { source, sessionId, snapshot, now }: { source: string; sessionId: string; snapshot: PublishedFile; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'lock-session',
    text: 'select from publication where source = $1 and session_id = $2 for update',
    values: [source, sessionId],
  });
  if (rowCount === 0) return false;
  await db.query({
    name: 'drop-snapshots',
    text: `update publication_file set dropped = $3
           where source = $1 and session_id = $2 and kind = 'snapshot' and dropped is null`,
    values: [source, sessionId, now],
  });
  await insertFile(db, { source, sessionId, file: snapshot, now });
  return true;
}

async function insertFile(
  db: Db,
  { source, sessionId, file, now }: { source: string; sessionId: string; file: PublishedFile; now: Date },
): Promise<void> {
  const { kind, version, name, hash, bytes } = file;
  await db.query({
    name: 'insert-publication-file',
    text: `insert into publication_file (source, session_id, kind, version, name, hash, bytes, created)
           values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [source, sessionId, kind, version, name, hash, bytes, now],
  });
}

/** Records that the notification no longer names the deltas up to a version. */
export async function dropDeltas(
  db: Db,
  { source, sessionId, upTo, now }: { source: string; sessionId: string; upTo: number; now: Date },
): Promise<void> {
  await db.query({
    name: 'drop-deltas',
    text: `update publication_file set dropped = $4
           where source = $1 and session_id = $2 and kind = 'delta' and version <= $3 and dropped is null`,
    values: [source, sessionId, upTo, now],
  });
}

/** Removes files that the store no longer has. */
export async function forgetFiles(db: Db, source: string, names: readonly string[]): Promise<void> {
  await db.query({
    name: 'forget-publication-files',
    text: 'delete from publication_file where source = $1 and name = any($2)',
    values: [source, names],
  });
}

/** The notification in the store, as far as we know. */
export interface Notified {
  readonly published: Date;
  /** SHA-256 of the signed file, hexadecimal. */
  readonly hash: string;
  /** SHA-256 of its content without its timestamp, hexadecimal. */
  readonly content: string;
  /** Public key (PEM) that verifies it. */
  readonly signingKey: string;
  /** Public key (PEM) that it announces. */
  readonly nextSigningKey: string | undefined;
}

/** The state of the last publishing. */
export interface Publishing {
  readonly notified: Notified | undefined;
  readonly failed: Date | undefined;
  readonly failure: string | undefined;
}

/** The state of publishing a source. */
export async function readPublishing(db: Db, source: string): Promise<Publishing> {
  const { rows } = await db.query<
    { [name in keyof Notified]: Notified[name] | null } & Row<Omit<Publishing, 'notified'>>
  >({
    name: 'read-publishing',
    text: `select notified as published, notification_hash as hash, content_hash as content,
             signing_key as "signingKey", next_signing_key as "nextSigningKey", failed, failure
           from publishing where source = $1`,
    values: [source],
  });
  const { published, hash, content, signingKey, nextSigningKey, failed, failure }: Partial<(typeof rows)[0]> =
    rows[0] ?? {};
  return {
    notified:
      published && hash && content && signingKey
        ? { published, hash, content, signingKey, nextSigningKey: nextSigningKey ?? undefined }
        : undefined,
    failed: failed ?? undefined,
    failure: failure ?? undefined,
  };
}

/** Records the present notification of the store. */
export async function recordNotified(db: Db, source: string, notified: Notified): Promise<void> {
  const { published, hash, content, signingKey, nextSigningKey } = notified;
  await db.query({
    name: 'record-notification',
    text: `insert into publishing (source, notified, notification_hash, content_hash, signing_key, next_signing_key)
           values ($1, $2, $3, $4, $5, $6)
           on conflict (source) do update set
             notified = excluded.notified, notification_hash = excluded.notification_hash,
             content_hash = excluded.content_hash, signing_key = excluded.signing_key, next_signing_key = excluded.next_signing_key`,
    values: [source, published, hash, content, signingKey, nextSigningKey],
  });
}

/** Records why publishing failed; without a reason, that it succeeded. */
export async function recordOutcome(db: Db, source: string, now: Date, failure?: string): Promise<void> {
  await db.query({
    name: 'record-outcome',
    text: `insert into publishing as p (source, failed, failure) values ($1, $2, $3)
           on conflict (source) do update set failed = excluded.failed, failure = excluded.failure
             where p.failure is distinct from excluded.failure or excluded.failure is not null`,
    values: [source, failure === undefined ? null : now, failure],
  });
}
