import { hash } from 'node:crypto';
import type { FeedPosition } from '@cadastre/changes';
import {
  maxNotificationBytes,
  type Notification,
  notificationFileName,
  parseFileName,
  readNotification,
} from '@cadastre/nrtm';
import type { FileStore, StoredFile } from '../files/file-store.js';
import type { PublicSource } from '../public-source.js';
import { policyOf } from './public-export.js';
import type { KnownFile, Notified, Publication } from './state.js';
import { folderOf } from './write-file.js';

/** Why a source needs a new session: followers cannot continue from their state. */
export type LossReason = 'first' | 'policy' | 'restored-registry' | 'restored-state' | 'missing-files';

/** Whether the registry is at an earlier state, or at another one with the same serial, than the published one. */
export function isRestored({ serial, instant }: Publication, newest: FeedPosition): boolean {
  if (newest.serial !== serial) return newest.serial < serial;
  return instant !== undefined && newest.instant !== undefined && instant.getTime() !== newest.instant.getTime();
}

/** Whether objects are made public in another way than before. */
export function hasOtherPolicy({ policy }: Publication, source: PublicSource): boolean {
  return policy !== policyOf(source);
}

/** The notification in the store: the last one that we wrote, another one, or an unreadable one. */
export type StoredNotification = 'ours' | 'none' | Notification;

/** Reads the notification in the store. An attacker who can write there can only make us begin a new session. */
export async function storedNotification(
  store: FileStore,
  source: string,
  notified: Notified | undefined,
): Promise<StoredNotification> {
  const bytes = await store.get(folderOf(source) + notificationFileName, maxNotificationBytes);
  if (bytes === undefined) return 'none';
  if (hash('sha256', bytes) === notified?.hash) return 'ours';
  const [, payload = ''] = bytes.toString('latin1').split('.');
  const read = readNotification(Buffer.from(payload, 'base64url').toString());
  return read.ok ? read.value : 'none';
}

/**
 * Whether followers know what the database does not, because it was restored from a backup. State is stored before a
 * notification announces it, so otherwise the store is never ahead of the database.
 */
export function isAhead(stored: Notification, publication: Publication, files: readonly KnownFile[]): boolean {
  const { sessionId, version } = publication;
  if (stored.sessionId !== sessionId || stored.version > version) return true;
  const hashes = new Map(
    files.filter((file) => file.sessionId === sessionId).map((file) => [`${file.kind} ${file.version}`, file.hash]),
  );
  const isOther = (name: string, hash: string) => (hashes.get(name) ?? hash) !== hash;
  return (
    isOther(`snapshot ${stored.snapshot.version}`, stored.snapshot.hash) ||
    stored.deltas.some((delta) => isOther(`delta ${delta.version}`, delta.hash))
  );
}

/** Compares the files of a source in the store with those that the database has. */
export async function audit(store: FileStore, source: string, files: readonly KnownFile[]) {
  const folder = folderOf(source);
  const stored = new Map<string, StoredFile>();
  for await (const file of store.list(folder)) stored.set(file.name.slice(folder.length), file);
  const named = files.filter(({ dropped }) => dropped === undefined);
  const known = new Set(files.map(({ name }) => name));
  const isOurs = (name: string) => parseFileName(name) !== undefined || name.startsWith('.unfinished-');
  return {
    /** Whether the store lacks a file that the notification names. */
    isIncomplete: named.some(({ name, bytes }) => stored.get(name)?.bytes !== bytes),
    /** Unknown files, which dead writers left. */
    leftovers: [...stored].flatMap(([name, file]) => (isOurs(name) && !known.has(name) ? [file] : [])),
  };
}
