import { isCount, isHash, isRecord, isSessionId } from './members.js';

/** The name of the file, in the folder of its source. */
export const notificationFileName = 'update-notification-file.jose';

/** Maximum length of a notification that a follower reads, in bytes with its signature: more than a month of deltas. */
export const maxNotificationBytes = 16 << 20;

/** A snapshot or delta, as a notification names it. */
export interface FileReference {
  readonly version: number;
  /** Relative to the folder of the notification. */
  readonly url: string;
  /** SHA-256 of the file as served, 64 lower-case hexadecimal digits. */
  readonly hash: string;
}

/** What an Update Notification File says. */
export interface Notification {
  /** The source's name at its origin. */
  readonly source: string;
  /** UUID; a publisher begins a new session when it has lost its history. */
  readonly sessionId: string;
  /** The highest version of the files. */
  readonly version: number;
  /** When the publisher wrote it. */
  readonly timestamp: Date;
  readonly snapshot: FileReference;
  /** Ascending, without gaps; may be empty. */
  readonly deltas: readonly FileReference[];
  /** The public key (PEM, SPKI) that will sign next; during a rotation only. */
  readonly nextSigningKey?: string;
}

/** A value, or all faults that it has: sentences without a full stop. */
export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly faults: readonly string[] };

/** The payload of the file. */
export function writeNotification(notification: Notification): string {
  const { source, sessionId, version, timestamp, snapshot, deltas, nextSigningKey } = notification;
  return JSON.stringify({
    nrtm_version: 4,
    timestamp: timestamp.toISOString(),
    type: 'notification',
    source,
    session_id: sessionId,
    version,
    snapshot: fileMember(snapshot),
    deltas: deltas.map(fileMember),
    ...(nextSigningKey === undefined ? {} : { next_signing_key: nextSigningKey }),
  });
}

function fileMember({ version, url, hash }: FileReference) {
  return { version, url, hash };
}

/**
 * Reads a payload whose signature was verified. Ignores unknown members. Reports every fault, such as a wrong order or
 * gaps of deltas. Does not compare with what the follower knows (`planUpdate` does).
 */
export function readNotification(payload: string): Read<Notification> {
  const document = parseJson(payload);
  if (!isRecord(document)) return { ok: false, faults: ['The notification is no JSON object'] };
  const faults = [...memberFaults(document), ...fileFaults(document)];
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, value: notificationOf(document) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Members = Readonly<Record<string, unknown>>;

function memberFaults(document: Members): string[] {
  const rules: readonly (readonly [boolean, string])[] = [
    [document.nrtm_version === 4, 'nrtm_version is not 4'],
    [document.type === 'notification', 'type is not "notification"'],
    [typeof document.source === 'string' && document.source !== '', 'source is missing'],
    [isSessionId(document.session_id), 'session_id is no UUID'],
    [isCount(document.version), 'version is no positive number'],
    [isInstant(document.timestamp), 'timestamp is no RFC 3339 instant'],
    [isKeyMember(document.next_signing_key), 'next_signing_key is no text'],
  ];
  return rules.filter(([holds]) => !holds).map(([, fault]) => fault);
}

/** RIPE omits it, others may write null. */
function isKeyMember(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

function isInstant(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value));
}

function fileFaults(document: Members): string[] {
  const { snapshot, deltas } = document;
  const faults = isFileReference(snapshot) ? [] : ['snapshot has no version, url and hash'];
  if (!Array.isArray(deltas)) return [...faults, 'deltas is no list'];
  if (!deltas.every(isFileReference)) return [...faults, 'A delta has no version, url and hash'];
  if (!isFileReference(snapshot)) return faults;
  return versionFaults(document.version, snapshot, deltas);
}

function versionFaults(version: unknown, snapshot: FileReference, deltas: readonly FileReference[]): string[] {
  const faults: string[] = [];
  const gap = deltas.find((delta, n) => n > 0 && delta.version !== deltas[n - 1]!.version + 1);
  if (gap !== undefined) faults.push(`The deltas have a gap or another order before version ${gap.version}`);
  if (deltas[0]?.version === 1) faults.push('A delta has version 1');
  const last = deltas.at(-1)?.version ?? 0;
  if (version !== Math.max(snapshot.version, last)) faults.push('version is not the highest of its files');
  if (last > snapshot.version && deltas[0]!.version > snapshot.version + 1) {
    faults.push('The deltas do not continue the snapshot');
  }
  return faults;
}

function isFileReference(value: unknown): value is FileReference {
  return isRecord(value) && isCount(value.version) && isFileUrl(value.url) && isHash(value.hash);
}

/** Maximum length of the `url` of a file. */
const maxUrl = 2_000;

function isFileUrl(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= maxUrl;
}

function notificationOf(document: Members): Notification {
  const { next_signing_key: nextSigningKey } = document;
  return {
    source: document.source as string,
    sessionId: (document.session_id as string).toLowerCase(),
    version: document.version as number,
    timestamp: new Date(document.timestamp as string),
    snapshot: fileMember(document.snapshot as FileReference),
    deltas: (document.deltas as FileReference[]).map(fileMember),
    ...(typeof nextSigningKey === 'string' ? { nextSigningKey } : {}),
  };
}
