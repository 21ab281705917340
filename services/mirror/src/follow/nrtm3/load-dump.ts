import type { Classes } from '../classes.js';
import { type Downloaded, downloadFile } from '../download.js';
import { bytesLeft, readSerialFile, textOfDump } from '../dump/dump-files.js';
import { type Applied, type LoadOptions, type Mirrored, MirrorFault } from '../origin.js';
import type { Reach } from '../reach.js';

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
