import type { KnownFile } from './state.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Maximum wait of a change for a delta. */
export const deltaIntervalMs = minuteMs;

/** A follower that was disconnected for up to this time continues by deltas. */
const deltasAgeMs = 24 * hourMs;

/** With changes, a snapshot is at most a day old when the next one is published. */
const snapshotAgeMs = 23 * hourMs;
const minSnapshotAgeMs = hourMs;

/** A notification is renewed hourly even without changes: followers may distrust one that is a day old. */
const notificationAgeMs = hourMs;

/** A follower may still be reading a file that the notification no longer names. */
const retentionMs = hourMs;

/** Time between two comparisons of the store with the database. */
export const auditIntervalMs = hourMs;

/** The files of a session that its notification names. */
export interface NamedFiles {
  readonly snapshot: KnownFile;
  /** By version, without gaps. */
  readonly deltas: readonly KnownFile[];
}

/**
 * The files that the notification names now, and the newest version that it drops (0: none): deltas of more than a day,
 * but none above the snapshot, whose reader needs them.
 */
export function namedFiles(
  files: readonly KnownFile[],
  sessionId: string,
  now: Date,
): { named: NamedFiles; droppedUpTo: number } | undefined {
  const present = files.filter((file) => file.sessionId === sessionId && file.dropped === undefined);
  const snapshot = present.findLast(({ kind }) => kind === 'snapshot');
  if (snapshot === undefined) return undefined;
  const oldest = now.getTime() - deltasAgeMs;
  const deltas = present.filter(({ kind }) => kind === 'delta');
  const old = deltas.filter(({ version, created }) => version <= snapshot.version && created.getTime() < oldest);
  const droppedUpTo = old.at(-1)?.version ?? 0;
  return { named: { snapshot, deltas: deltas.filter(({ version }) => version > droppedUpTo) }, droppedUpTo };
}

/**
 * Whether a new snapshot is due: never without changes nor within an hour, always after a day, and earlier when the
 * deltas after the snapshot are larger than the snapshot.
 */
export function isSnapshotDue({ snapshot, deltas }: NamedFiles, now: Date): boolean {
  const after = deltas.filter(({ version }) => version > snapshot.version);
  const ageMs = now.getTime() - snapshot.created.getTime();
  if (after.length === 0 || ageMs < minSnapshotAgeMs) return false;
  return ageMs >= snapshotAgeMs || after.reduce((sum, { bytes }) => sum + bytes, 0) > snapshot.bytes;
}

/** Whether to renew a notification of this time though nothing changed. */
export function isOld(published: Date, now: Date): boolean {
  return now.getTime() - published.getTime() >= notificationAgeMs;
}

/** Whether a file may be removed that the notification has not named, or that is unknown, since this time. */
export function mayGo(since: Date, now: Date): boolean {
  return now.getTime() - since.getTime() >= retentionMs;
}
