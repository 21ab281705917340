import {
  type Change,
  type FileKind,
  type FileReference,
  type Read,
  readChange,
  readHeader,
  readObject,
  readSequence,
  SequenceFault,
  unpack,
} from '@cadastre/nrtm';
import { type Classes, followsClass, followsText } from '../classes.js';
import { type Downloaded, downloadFile } from '../download.js';
import { type Applied, type MirrorChange, type Mirrored, MirrorFault } from '../origin.js';
import type { Reach } from '../reach.js';

/** The common parameters of the files of one notification. */
export interface ApplyFile {
  readonly notificationUrl: URL;
  readonly reach: Reach;
  readonly classes: Classes;
  readonly source: string;
  readonly sessionId: string;
}

/** Maximum size of downloaded files. The largest registries need a tenth of it. */
const maxSnapshotBytes = 4 * 2 ** 30;
const maxDeltaBytes = 256 << 20;

/** Replaces the content of the copy by a snapshot. Errors: MirrorFault. */
export async function loadSnapshot(file: ApplyFile, reference: FileReference, mirrored: Mirrored): Promise<Applied> {
  const { signal, writer } = mirrored;
  return withFile(file, reference, maxSnapshotBytes, mirrored, async (downloaded) => {
    // After a reset the writer reads the text twice.
    let unreadable = 0;
    async function* text(): AsyncGenerator<Uint8Array> {
      unreadable = 0;
      for await (const records of recordsOf(downloaded, file, reference, 'snapshot')) {
        const all = records.map((record) => orRefuse(readObject(record), reference));
        const objects = all.filter((object) => followsText(file.classes, object));
        const readable = objects.filter(isOneObject);
        unreadable += objects.length - readable.length;
        yield Buffer.from(readable.map((object) => `${object.trimEnd()}\n\n`).join(''));
      }
    }
    const applied = await writer.load(text, { originSource: file.source, encoding: 'utf8', signal });
    return { ...applied, rejected: applied.rejected + unreadable };
  });
}

/** An empty line would make two objects of it, and the publisher has not named the second one. */
function isOneObject(text: string): boolean {
  return !/\n[ \t\r]*\n\s*\S/.test(text);
}

/** Applies a delta in one transaction. Errors: MirrorFault, TooManyChanges. */
export async function applyDelta(file: ApplyFile, reference: FileReference, mirrored: Mirrored): Promise<Applied> {
  const { signal, writer } = mirrored;
  return withFile(file, reference, maxDeltaBytes, mirrored, async (downloaded) => {
    let count = 0;
    async function* changes(): AsyncGenerator<readonly MirrorChange[]> {
      for await (const records of recordsOf(downloaded, file, reference, 'delta')) {
        count += records.length;
        const changes = records.map((record) => orRefuse(readChange(record), reference));
        yield changes.filter((change) => isFollowed(change, file.classes)).map(changeOf);
      }
      if (count === 0) throw new MirrorFault('refused', `${reference.url} has no change`);
    }
    return writer.apply(changes(), { originSource: file.source, signal });
  });
}

function isFollowed(change: Change, classes: Classes): boolean {
  if (change.action === 'add_modify') return followsText(classes, change.object);
  return followsClass(classes, change.objectClass);
}

function changeOf(change: Change): MirrorChange {
  if (change.action === 'add_modify') return { put: change.object };
  return { delete: { type: change.objectClass, primaryKey: change.primaryKey } };
}

async function withFile(
  { notificationUrl, reach }: ApplyFile,
  reference: FileReference,
  maxBytes: number,
  { signal }: Mirrored,
  apply: (downloaded: Downloaded) => Promise<Applied>,
): Promise<Applied> {
  const url = urlOf(reference, notificationUrl);
  const downloaded = await downloadFile(url, reach, { maxBytes, signal });
  try {
    if (downloaded.hash !== reference.hash) {
      throw new MirrorFault('refused', `${url.href} has the SHA-256 ${downloaded.hash}, not ${reference.hash}`);
    }
    return await apply(downloaded);
  } finally {
    await downloaded.close();
  }
}

/** A file is in the folder of its notification, or below it. */
function urlOf({ url: relative }: FileReference, notificationUrl: URL): URL {
  const url = URL.parse(relative, notificationUrl.href);
  const folder = new URL('.', notificationUrl);
  if (url?.href.startsWith(folder.href) && !/%2f|%5c/i.test(url.pathname)) return url;
  throw new MirrorFault('refused', `The file ${relative} is outside the folder of its notification`);
}

/** The records after the header, some at a time. */
async function* recordsOf(
  downloaded: Downloaded,
  { source, sessionId }: ApplyFile,
  { url, version }: FileReference,
  kind: FileKind,
): AsyncGenerator<unknown[]> {
  const bytes = /\.gz$/i.test(url) ? unpack(downloaded.open()) : downloaded.open();
  let isFirst = true;
  try {
    for await (const records of readSequence(bytes)) {
      if (isFirst) orRefuse(readHeader(records.shift(), { kind, source, sessionId, version }), { url });
      isFirst = false;
      if (records.length > 0) yield records;
    }
  } catch (error) {
    throw error instanceof SequenceFault ? new MirrorFault('refused', `${url}: ${error.message}`) : error;
  }
  if (isFirst) throw new MirrorFault('refused', `${url} has no header`);
}

function orRefuse<Value>(read: Read<Value>, { url }: Pick<FileReference, 'url'>): Value {
  if (read.ok) return read.value;
  throw new MirrorFault('refused', `${url}: ${read.faults.join('; ')}`);
}
