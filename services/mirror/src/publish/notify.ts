import { hash } from 'node:crypto';
import { type FileReference, notificationFileName, signNotification, writeNotification } from '@cadastre/nrtm';
import type { FileStore } from '../files/file-store.js';
import type { NamedFiles } from './schedule.js';
import type { SigningKeys } from './signing-keys.js';
import type { KnownFile, Notified, Publication } from './state.js';
import { folderOf } from './write-file.js';

/** Followers check once a minute. */
const headers = { contentType: 'application/jose', cacheControl: 'public, max-age=60' };

/** The content of a notification, except its timestamp. */
export interface Announcement {
  readonly source: string;
  readonly publication: Publication;
  readonly named: NamedFiles;
  readonly keys: SigningKeys;
}

/** Identifies the content of an announcement: SHA-256, hexadecimal. */
export function contentHash(announcement: Announcement): string {
  return hash('sha256', announcement.keys.publicKey + payloadOf(announcement, new Date(0)));
}

/** Writes the notification of a source; readers of the store see it when this returns. */
export async function writeNotificationFile(
  store: FileStore,
  announcement: Announcement,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<Notified> {
  const { source, keys } = announcement;
  const signed = Buffer.from(await signNotification(payloadOf(announcement, now), keys.privateKey));
  await store.put(folderOf(source) + notificationFileName, signed, { ...headers, signal });
  return {
    published: now,
    hash: hash('sha256', signed),
    content: contentHash(announcement),
    signingKey: keys.publicKey,
    nextSigningKey: keys.nextPublicKey,
  };
}

function payloadOf({ source, publication, named, keys }: Announcement, timestamp: Date): string {
  const { nextPublicKey: nextSigningKey } = keys;
  return writeNotification({
    source,
    sessionId: publication.sessionId,
    version: publication.version,
    timestamp,
    snapshot: reference(named.snapshot),
    deltas: named.deltas.map(reference),
    ...(nextSigningKey === undefined ? {} : { nextSigningKey }),
  });
}

function reference({ version, name, hash }: KnownFile): FileReference {
  return { version, url: name, hash };
}
