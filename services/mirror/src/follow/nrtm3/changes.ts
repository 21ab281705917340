import { isUtf8 } from 'node:buffer';
import type { Nrtm3Change } from '@cadastre/nrtm';
import { normalise, parseObject, primaryKey } from '@cadastre/rpsl';
import { type Classes, followsText } from '../classes.js';
import { type Downloaded, downloadFile } from '../download.js';
import { bytesLeft, readSerialFile, textOfDump } from '../dump/dump-files.js';
import { type Applied, type LoadOptions, type MirrorChange, type Mirrored, MirrorFault } from '../origin.js';
import type { Reach } from '../reach.js';

/** A change in the form of the writer; undefined for the deletion of an unreadable object. */
function mirrorChange({ action, object }: Nrtm3Change): MirrorChange | undefined {
  const text = decoded(object);
  if (action === 'ADD') return { put: text };
  const parsed = parseObject(text, { expandShortNames: true });
  if (!parsed.ok) return undefined;
  const key = primaryKey(normalise(parsed.object).object);
  return 'shown' in key ? { delete: { type: parsed.object.type, primaryKey: key.shown } } : undefined;
}

/** Servers of some registries send UTF-8, others latin-1: each object uses one of both. */
function decoded(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? buffer.toString('utf8') : bytes;
}

/** Changes to apply in one transaction. */
export interface Batch {
  readonly changes: readonly MirrorChange[];
  /** Serial of the last change. */
  readonly serial: number;
  /** Number of changes that cannot be read. */
  readonly rejected: number;
}

/** Bounds of a transaction: little memory, and little to repeat after a crash. */
export interface BatchBounds {
  readonly changes: number;
  /** Of all texts, in characters. */
  readonly length: number;
}

/**
 * Collects changes in their order, up to the bounds of a transaction. Leaves out other classes, but counts them: the
 * serial of a copy advances over them, too.
 */
export function gatherBatch({ changes: max, length: longest }: BatchBounds, classes: Classes) {
  let changes: MirrorChange[] = [];
  let [count, length, rejected, serial] = [0, 0, 0, 0];
  return {
    /** Adds a change; returns whether the batch is full then. */
    add(change: Nrtm3Change): boolean {
      count++;
      ({ serial } = change);
      if (followsText(classes, change.object)) {
        const read = mirrorChange(change);
        if (read === undefined) rejected++;
        else changes.push(read);
        length += change.object.length;
      }
      return count >= max || length >= longest;
    },
    /** The changes since the last call; undefined when there are none. */
    take(): Batch | undefined {
      if (count === 0) return undefined;
      const batch = { changes, serial, rejected };
      changes = [];
      [count, length, rejected] = [0, 0, 0];
      return batch;
    },
  };
}

/** The files with the whole content of a source. */
export interface DumpFiles {
  /** Its files, each possibly gzipped. */
  readonly dumps: readonly URL[];
  /** The file with the serial of the dump. */
  readonly serial: URL;
  readonly encoding: LoadOptions['encoding'];
  readonly classes?: Classes;
  readonly reach: Reach;
}

/** The serial of the current dump. Errors: MirrorFault. */
export function readDumpSerial({ serial, reach }: DumpFiles, signal: AbortSignal): Promise<number> {
  return readSerialFile(serial, reach, signal);
}

/**
 * Replaces the content of the copy by the dump with a serial. Reads the serial again after the dump: if the dump was
 * replaced meanwhile, its serial is another one. Errors: MirrorFault.
 */
export async function loadDump(
  files: DumpFiles,
  originSource: string,
  serial: number,
  { writer, signal }: Mirrored,
): Promise<Applied> {
  const downloaded: Downloaded[] = [];
  try {
    for (const url of files.dumps) {
      downloaded.push(await downloadFile(url, files.reach, { maxBytes: bytesLeft(downloaded), signal }));
    }
    if ((await readDumpSerial(files, signal)) !== serial) {
      throw new MirrorFault('transient', 'The dump was replaced while it was read');
    }
    const { encoding, classes } = files;
    return await writer.load(() => textOfDump(downloaded, classes), { originSource, encoding, signal });
  } finally {
    for (const file of downloaded) await file.close();
  }
}
