import { randomUUID } from 'node:crypto';
import { type FeedPosition, isLostPlace } from '@cadastre/changes';
import { changeRecord, objectRecord } from '@cadastre/nrtm';
import { errorText, type Logger, startingWith } from '@cadastre/service';
import type { Pool } from 'pg';
import { boundedFolder, FolderFull } from '../files/bounded-folder.js';
import type { FileStore } from '../files/file-store.js';
import type { Lease } from '../leases.js';
import type { Objects } from '../objects-client.js';
import type { PublicSource } from '../public-source.js';
import {
  audit,
  hasOtherPolicy,
  isAhead,
  isRestored,
  type LossReason,
  type StoredNotification,
  storedNotification,
} from './lost-history.js';
import { contentHash, writeNotificationFile } from './notify.js';
import { type PublicObject, policyOf, readPublicExport } from './public-export.js';
import type { PublishMetrics } from './publish-metrics.js';
import { readChanges } from './read-changes.js';
import { auditIntervalMs, isOld, isSnapshotDue, mayGo, namedFiles } from './schedule.js';
import type { SigningKeys } from './signing-keys.js';
import {
  addDelta,
  addSnapshot,
  beginSession,
  dropDeltas,
  forgetFiles,
  type Notified,
  type Publication,
  passChanges,
  readFiles,
  readPublication,
  readPublishing,
  recordNotified,
} from './state.js';
import { folderOf, writeFile } from './write-file.js';

export interface PublisherOptions {
  readonly source: PublicSource;
  readonly pool: Pool;
  readonly store: FileStore;
  /** Maximum bytes of the files of the source. */
  readonly maxBytes: number;
  readonly objects: Pick<Objects, 'reader' | 'feed'>;
  readonly keys: () => SigningKeys;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly metrics: PublishMetrics;
}

/** Publishes one source; the process may die in every step, and the next round continues. */
export type Publisher = ReturnType<typeof createPublisher>;

/** Makes the publisher of a source. */
export function createPublisher(o: PublisherOptions) {
  const { source: published, pool, store, maxBytes, objects, keys, now, logger, metrics } = o;
  const { name: source } = published;
  const snapshots = boundedFolder(store, folderOf(source), maxBytes);
  let auditedAt: Date | undefined;

  /** Why followers cannot continue; undefined when they can. Regularly removes the remains of dead writers. */
  async function findLoss(publication: Publication, stored: StoredNotification): Promise<LossReason | undefined> {
    if (hasOtherPolicy(publication, published)) return 'policy';
    const files = await readFiles(pool, source);
    if (typeof stored === 'object' && isAhead(stored, publication, files)) return 'restored-state';
    const isAuditDue = auditedAt === undefined || now().getTime() - auditedAt.getTime() >= auditIntervalMs;
    if (stored === 'ours' && !isAuditDue) return undefined;
    const { isIncomplete, leftovers } = await audit(store, source, files);
    if (isIncomplete) return 'missing-files';
    for (const { name, stored: since } of leftovers) if (mayGo(since, now())) await store.remove(name);
    auditedAt = now();
    return undefined;
  }

  async function newSession(lease: Lease, reason: LossReason): Promise<void> {
    const { signal } = lease;
    const sessionId = randomUUID();
    const header = { kind: 'snapshot', source, sessionId, version: 1 } as const;
    const state = await readPublicExport(objects, published, { signal });
    const snapshot = await metrics.time('snapshot', () => writeFile(snapshots, header, recordsOf(state.pages), signal));
    await lease.transaction((db) =>
      beginSession(db, { source, sessionId, at: state.position, policy: policyOf(published), snapshot, now: now() }),
    );
    metrics.sessionBegan(source, reason);
    logger.info({ source, sessionId, reason, serial: String(state.position.serial) }, 'began session');
  }

  /** Publishes the changes after the newest version, if any are public. */
  async function delta(lease: Lease, before: Publication, upTo: bigint): Promise<void> {
    const { signal } = lease;
    const pages = readChanges(objects, published, { from: before, upTo, signal });
    let at: FeedPosition = before;
    async function* records() {
      for await (const { changes, position } of pages) {
        at = position;
        if (changes.length > 0) yield changes.map(changeRecord);
      }
    }
    const written = records();
    const first = await written.next();
    if (first.done) return lease.transaction((db) => passChanges(db, { source, before, at }));
    const header = { kind: 'delta', source, sessionId: before.sessionId, version: before.version + 1 } as const;
    // Reserves room for the next snapshot, after which old deltas may be removed.
    const snapshot = namedFiles(await readFiles(pool, source), before.sessionId, now())?.named.snapshot;
    const deltas = boundedFolder(store, folderOf(source), maxBytes - (snapshot?.bytes ?? 0));
    const file = await metrics.time('delta', () =>
      writeFile(deltas, header, startingWith(first.value, written), signal),
    );
    await lease.transaction((db) => addDelta(db, { source, before, at, delta: file, now: now() }));
    logger.debug({ source, version: file.version, bytes: file.bytes }, 'wrote delta');
  }

  /** Brings the notification up to date. */
  async function announce(lease: Lease, stored: StoredNotification, notified: Notified | undefined): Promise<void> {
    const publication = (await readPublication(pool, source))!;
    const files = await readFiles(pool, source);
    const found = namedFiles(files, publication.sessionId, now());
    if (found === undefined) throw new Error(`session ${publication.sessionId} has no snapshot`);
    const { named, droppedUpTo } = found;
    const announcement = { source, publication, named, keys: keys() };
    const isUpToDate = stored === 'ours' && notified?.content === contentHash(announcement);
    if (isUpToDate && !isOld(notified.published, now())) return;
    const { sessionId } = publication;
    if (droppedUpTo > 0) {
      await lease.transaction((db) => dropDeltas(db, { source, sessionId, upTo: droppedUpTo, now: now() }));
    }
    const written = await writeNotificationFile(store, announcement, { now: now(), signal: lease.signal });
    await lease.transaction((db) => recordNotified(db, source, written));
    logger.debug({ source, version: publication.version }, 'wrote notification');
  }

  /** Removes files that the notification has not named for a while. */
  async function removeDropped(): Promise<void> {
    const files = await readFiles(pool, source);
    const old = files.filter(({ dropped }) => dropped !== undefined && mayGo(dropped, now()));
    for (const { name } of old) await store.remove(folderOf(source) + name);
    if (old.length > 0) {
      await forgetFiles(
        pool,
        source,
        old.map(({ name }) => name),
      );
    }
  }

  async function publishChanges(lease: Lease, newest: FeedPosition, stored: StoredNotification): Promise<void> {
    const publication = await readPublication(pool, source);
    if (publication === undefined) return newSession(lease, 'first');
    if (isRestored(publication, newest)) return newSession(lease, 'restored-registry');
    const loss = await findLoss(publication, stored);
    if (loss !== undefined) return newSession(lease, loss);
    if (newest.serial === publication.serial) return;
    try {
      await delta(lease, publication, newest.serial);
    } catch (error) {
      if (!isLostPlace(error)) throw error;
      logger.warn({ source, reason: errorText(error) }, 'the registry does not continue what was published');
      await newSession(lease, 'restored-registry');
    }
  }

  return {
    /** Publishes what changed: at most one delta, or a new session; then the notification if its content is new. */
    async round(lease: Lease): Promise<void> {
      const began = now();
      const newest = await newestOf(objects, published);
      const { notified } = await readPublishing(pool, source);
      const stored = await storedNotification(store, source, notified);
      const full = await publishChanges(lease, newest, stored).catch(unlessFull);
      // Old files are removed nevertheless, which makes room.
      if (full === undefined || (await readPublication(pool, source)) !== undefined) {
        await announce(lease, stored, notified);
        await removeDropped();
      }
      if (full !== undefined) throw full;
      const { version } = (await readPublication(pool, source))!;
      const { notified: announced } = await readPublishing(pool, source);
      metrics.published(source, { completeUntil: began, version, notifiedAt: announced!.published });
    },
    /**
     * Makes a snapshot if one is due; the next round publishes it. Returns whether it did. May run concurrently with
     * `round`.
     */
    async snapshot(lease: Lease): Promise<boolean> {
      const publication = await readPublication(pool, source);
      if (publication === undefined) return false;
      const { sessionId, version, serial } = publication;
      const found = namedFiles(await readFiles(pool, source), sessionId, now());
      if (found === undefined || !isSnapshotDue(found.named, now())) return false;
      const { signal } = lease;
      const header = { kind: 'snapshot', source, sessionId, version } as const;
      const began = now();
      const state = await readPublicExport(objects, published, { serial, signal });
      const snapshot = await metrics.time('snapshot', () =>
        writeFile(snapshots, header, recordsOf(state.pages), signal),
      );
      const isAdded = await lease.transaction((db) => addSnapshot(db, { source, sessionId, snapshot, now: began }));
      if (isAdded) logger.info({ source, version, bytes: snapshot.bytes }, 'wrote snapshot');
      else await store.remove(folderOf(source) + snapshot.name);
      return isAdded;
    },
  };
}

/** For the rejection of a promise: returns the error of a full folder, and throws any other. */
function unlessFull(error: unknown): FolderFull {
  if (error instanceof FolderFull) return error;
  throw error;
}

async function newestOf({ reader }: Pick<Objects, 'reader'>, { store }: PublicSource): Promise<FeedPosition> {
  const { sources } = await reader.listSources({});
  const found = sources.find(({ name }) => name === store);
  if (found === undefined) throw new Error(`the registry has no source ${store}`);
  return { serial: found.serial, instant: found.instant };
}

async function* recordsOf(pages: AsyncIterable<readonly PublicObject[]>): AsyncGenerator<object[]> {
  for await (const page of pages) yield page.map(({ text }) => objectRecord(text));
}
