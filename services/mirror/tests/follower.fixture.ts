import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import {
  type FileReference,
  type Notification,
  notificationFileName,
  readChange,
  readHeader,
  readNotification,
  readObject,
  verifyNotification,
} from '@cadastre/nrtm';
import { parseObject, primaryKey } from '@cadastre/rpsl';
import type { FileStore } from '../src/files/file-store.js';

/** The contents of a file of a publication. */
interface FileContent {
  readonly records: readonly unknown[];
  readonly bytes: Buffer;
}

/** A strict follower of a publication: throws for everything that a real one might refuse. */
export interface Follower {
  /** Reads the notification and applies what is new; returns what it did. */
  update(): Promise<{ did: 'nothing' | 'deltas' | 'snapshot'; notification: Notification }>;
  /** Texts of the objects, sorted. */
  objects(): string[];
}

const max = 64 << 20;

/**
 * Follows a source in a store with a public key, and with its successors. `read` gets the text of each file, unpacked.
 */
export function createFollower(
  store: Pick<FileStore, 'get'>,
  source: string,
  publicKey: string,
  read: (text: string) => void = () => {},
): Follower {
  const objects = new Map<string, string>();
  const hashes = new Map<string, string>();
  const folder = `nrtmv4/${source}/`;
  let keys = [publicKey];
  let sessionId: string | undefined;
  let version = 0;

  async function notificationNow(): Promise<Notification> {
    const signed = await store.get(folder + notificationFileName, max);
    if (signed === undefined) throw new Error('there is no notification');
    const verified = await verifyNotification(signed.toString(), keys);
    if (verified === undefined) throw new Error('the signature is of an unknown key');
    read(verified.payload);
    const notification = must(readNotification(verified.payload));
    const { nextSigningKey } = notification;
    keys = [verified.publicKey, ...(nextSigningKey === undefined ? [] : [nextSigningKey])];
    return notification;
  }

  async function fetch({ url, hash }: FileReference): Promise<FileContent> {
    const packed = await store.get(folder + url, max);
    if (packed === undefined) throw new Error(`${url} is not there`);
    if (createHash('sha256').update(packed).digest('hex') !== hash) throw new Error(`${url} has another hash`);
    const bytes = gunzipSync(packed);
    read(bytes.toString());
    const records = bytes.toString().split('\u001e').slice(1);
    return { bytes, records: records.map((text) => JSON.parse(text)) };
  }

  /** Names and hashes of a version never change. */
  function remember({ sessionId: id, snapshot, deltas }: Notification): void {
    for (const [kind, files] of [['snapshot', [snapshot]] as const, ['delta', deltas] as const]) {
      for (const { version: of, hash, url } of files) {
        const name = `${id} ${kind} ${of}`;
        const before = hashes.get(name);
        if (before !== undefined && before !== `${url} ${hash}`) throw new Error(`${name} has another hash or name`);
        hashes.set(name, `${url} ${hash}`);
      }
    }
  }

  async function applySnapshot({ sessionId: id, snapshot }: Notification): Promise<void> {
    const { records } = await fetch(snapshot);
    const header = { kind: 'snapshot', source, sessionId: id, version: snapshot.version } as const;
    must(readHeader(records[0], header));
    objects.clear();
    for (const record of records.slice(1)) {
      const text = must(readObject(record));
      objects.set(nameOf(text), text);
    }
  }

  async function applyDelta({ sessionId: id }: Notification, delta: FileReference): Promise<void> {
    const { records } = await fetch(delta);
    must(readHeader(records[0], { kind: 'delta', source, sessionId: id, version: delta.version }));
    if (records.length < 2) throw new Error(`delta ${delta.version} is empty`);
    for (const record of records.slice(1)) {
      const change = must(readChange(record));
      if (change.action === 'add_modify') objects.set(nameOf(change.object), change.object);
      else if (!objects.delete(`${change.objectClass} ${change.primaryKey.toLowerCase()}`)) {
        throw new Error(`delta ${delta.version} deletes ${change.primaryKey}, which is not there`);
      }
    }
  }

  return {
    async update() {
      const notification = await notificationNow();
      remember(notification);
      const isNew = sessionId !== notification.sessionId;
      if (!isNew && notification.version < version) throw new Error('the notification is older than what was read');
      const start = isNew ? undefined : version;
      const needsSnapshot = start === undefined || (notification.deltas[0]?.version ?? version + 1) > start + 1;
      const from = needsSnapshot ? notification.snapshot.version : start;
      if (needsSnapshot) await applySnapshot(notification);
      const deltas = notification.deltas.filter((delta) => delta.version > from);
      for (const delta of deltas) await applyDelta(notification, delta);
      const isNothing = !needsSnapshot && deltas.length === 0;
      ({ sessionId, version } = notification);
      return { did: isNothing ? 'nothing' : needsSnapshot ? 'snapshot' : 'deltas', notification };
    },
    objects: () => [...objects.values()].sort(),
  };
}

function must<T>(read: { ok: true; value: T } | { ok: false; faults: readonly string[] }): T {
  if (!read.ok) throw new Error(read.faults.join('; '));
  return read.value;
}

function nameOf(text: string): string {
  const parsed = parseObject(text);
  if (!parsed.ok) throw new Error(`does not parse: ${text}`);
  const key = primaryKey(parsed.object);
  if (!('shown' in key)) throw new Error(`has no key: ${text}`);
  return `${parsed.object.type} ${key.shown.toLowerCase()}`;
}
