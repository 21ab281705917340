import { isRecord } from '@cadastre/nrtm';
import type { Classes } from '../classes.js';
import { type Downloaded, downloadIfNew, type Validators } from '../download.js';
import { type LoadOptions, type Mirrored, MirrorFault, type Origin, type ReadOrigin } from '../origin.js';
import {
  classesFaults,
  classesOf,
  dumpUrlFaults,
  encodingFaults,
  flagFaults,
  sourceFaults,
  unknownFaults,
  unprotected,
  urlsByClass,
} from '../origin-members.js';
import { type Reach, reachOf } from '../reach.js';
import { bytesLeft, maxDumpBytes, readSerialFile, textOfDump } from './dump-files.js';

/** The operator's configuration of a registry that only publishes dumps. */
export interface DumpOptions {
  /** URLs of the files that together are the whole source, each possibly gzipped. */
  readonly urls: readonly URL[];
  /** The registry's name for the source. */
  readonly source: string;
  /** URL of a file whose number changes with each dump. */
  readonly serialUrl?: URL;
  readonly everyMs: number;
  readonly encoding: LoadOptions['encoding'];
  readonly classes?: Classes;
  readonly reach: Reach;
  /** Maximum bytes of all files together; only tests choose it. */
  readonly maxBytes?: number;
}

/** A dump that was loaded. */
interface DumpState {
  /** The serial of the dump; absent without a file of it. */
  readonly serial?: number;
  /** In the order of the URLs. */
  readonly files: readonly KnownFile[];
}

interface KnownFile {
  readonly url: string;
  /** SHA-256 of the file as served. */
  readonly hash: string;
  readonly validators: Validators;
}

type NewFile = Downloaded & { readonly validators: Validators };

/** A registry that publishes dumps: each new one replaces the content of the copy. */
export function dumpOrigin(options: DumpOptions): Origin {
  return {
    kind: 'dump',
    address: options.urls[0]!.href,
    originSource: options.source,
    ownNetwork: options.reach.ownNetwork,
    classes: options.classes,
    warnings: unprotected(filesOf(options), options.reach.ownNetwork),
    everyMs: options.everyMs,
    async update(state, mirrored) {
      await update(options, ofTheseFiles(state as DumpState | undefined, options), mirrored);
      return {};
    },
  };
}

function filesOf({ urls, serialUrl }: DumpOptions): URL[] {
  return serialUrl === undefined ? [...urls] : [...urls, serialUrl];
}

/** The state, unless it is of other URLs. */
function ofTheseFiles(state: DumpState | undefined, { urls }: DumpOptions): DumpState | undefined {
  const isSame = state?.files.length === urls.length && state.files.every(({ url }, at) => url === urls[at]!.href);
  return isSame ? state : undefined;
}

async function update(options: DumpOptions, state: DumpState | undefined, mirrored: Mirrored): Promise<void> {
  const serial = await readSerial(options, mirrored.signal);
  if (state?.serial !== undefined && serial !== undefined) {
    if (serial === state.serial) return;
    if (serial < state.serial) {
      throw new MirrorFault('refused', `The serial of the dump went back from ${state.serial} to ${serial}`);
    }
  }
  const downloaded: (NewFile | undefined)[] = [];
  try {
    for (const [at, url] of options.urls.entries()) {
      const validators = state?.files[at]?.validators;
      const maxBytes = bytesLeft(downloaded, options.maxBytes);
      downloaded.push(await downloadIfNew(url, options.reach, { maxBytes, signal: mirrored.signal, validators }));
    }
    await apply(options, { state, serial }, downloaded, mirrored);
  } finally {
    for (const file of downloaded) await file?.close();
  }
}

/** Loads the files if any of them is new. Also fetches unchanged ones, because a load needs the whole source. */
async function apply(
  options: DumpOptions,
  { state, serial }: { readonly state: DumpState | undefined; readonly serial: number | undefined },
  downloaded: (NewFile | undefined)[],
  mirrored: Mirrored,
): Promise<void> {
  const { urls, reach, encoding, classes, source: originSource } = options;
  const { signal, writer, logger, source } = mirrored;
  const isNew = downloaded.some((file, at) => file !== undefined && file.hash !== state?.files[at]?.hash);
  if (isNew) {
    for (const [at, url] of urls.entries()) {
      const maxBytes = bytesLeft(downloaded, options.maxBytes);
      downloaded[at] ??= await downloadIfNew(url, reach, { maxBytes, signal });
    }
  }
  await requireSameDump(options, serial, downloaded, mirrored);
  const files = urls.map(({ href: url }, at): KnownFile => {
    const file = downloaded[at];
    return file === undefined ? state!.files[at]! : { url, hash: file.hash, validators: file.validators };
  });
  const progress = { state: { ...(serial === undefined ? {} : { serial }), files } satisfies DumpState };
  const version = serial === undefined ? {} : { version: serial };
  if (!isNew) return mirrored.save({ ...progress, ...version });
  logger.info({ source, files: urls.length, serial }, 'loads dump');
  const all = downloaded as readonly NewFile[];
  const applied = await writer.load(() => textOfDump(all, classes), { originSource, encoding, signal });
  await mirrored.save({ ...progress, ...version, applied });
}

/** The current serial of the registry; undefined when it has no file for it. Errors: MirrorFault. */
async function readSerial({ serialUrl, reach }: DumpOptions, signal: AbortSignal): Promise<number | undefined> {
  return serialUrl === undefined ? undefined : readSerialFile(serialUrl, reach, signal);
}

/** Throws when the registry replaced its dump during the download: files of two dumps are not a state of the source. */
async function requireSameDump(
  options: DumpOptions,
  serial: number | undefined,
  downloaded: readonly (NewFile | undefined)[],
  mirrored: Mirrored,
): Promise<void> {
  const replaced = new MirrorFault('transient', 'The dump was replaced while it was read');
  if (serial !== undefined) {
    if ((await readSerial(options, mirrored.signal)) !== serial) throw replaced;
    return;
  }
  if (options.urls.length === 1) return;
  for (const [at, url] of options.urls.entries()) {
    const validators = downloaded[at]?.validators;
    if (validators === undefined || Object.keys(validators).length === 0) continue;
    const { signal } = mirrored;
    const again = await downloadIfNew(url, options.reach, { maxBytes: maxDumpBytes, signal, validators });
    await again?.close();
    if (again !== undefined && again.hash !== downloaded[at]!.hash) throw replaced;
  }
}

const members = ['urls', 'source', 'serialUrl', 'every', 'encoding', 'classes', 'ownNetwork'];
const maxUrls = 100;

/**
 * Reads `{"urls", "source", "serialUrl"?, "every"?, "encoding"?, "classes"?, "ownNetwork"?}`: the URLs of the files of a
 * dump, each possibly gzipped, that together are the whole source (`{class}` stands for each of the classes); the
 * source's name there; the URL of a file with the serial of that dump, which changes with it; the time between two
 * checks ("30m", "6h", "1d"; default "1d"); "latin1" (default) or "utf8"; the classes to follow (default "all"); and
 * whether the origin is in the operator's own network.
 */
export const readDumpOrigin: ReadOrigin = (given, _source, proxy) => {
  if (!isRecord(given)) return { ok: false, faults: ['must be an object'] };
  const { urls, source, serialUrl, every = '1d', encoding = 'latin1', ownNetwork = false, ...most } = given;
  const { classes = 'all', ...others } = most;
  const byClass = urlsByClass(Array.isArray(urls) ? urls : [], classes);
  const everyMs = typeof every === 'string' ? intervalOf(every) : undefined;
  const faults = [
    ...unknownFaults(others, members),
    ...(Array.isArray(urls) && urls.length > 0 && byClass.urls.length <= maxUrls
      ? byClass.urls.flatMap((url) => dumpUrlFaults('urls', url))
      : [`urls: must be a list of 1 to ${maxUrls} URLs`]),
    ...sourceFaults(source),
    ...(serialUrl === undefined ? [] : dumpUrlFaults('serialUrl', serialUrl)),
    ...encodingFaults(encoding),
    ...classesFaults(classes),
    ...byClass.faults,
    ...flagFaults('ownNetwork', ownNetwork),
  ];
  if (everyMs === undefined) faults.push('every: must be a time from "1m" to "30d"');
  if (faults.length > 0 || everyMs === undefined) return { ok: false, faults };
  return {
    ok: true,
    value: dumpOrigin({
      urls: byClass.urls.map((url) => new URL(url as string)),
      source: (source as string).toUpperCase(),
      ...(serialUrl === undefined ? {} : { serialUrl: new URL(serialUrl as string) }),
      everyMs,
      encoding: encoding as 'latin1' | 'utf8',
      classes: classesOf(classes),
      reach: reachOf(ownNetwork === true, proxy),
    }),
  };
};

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function intervalOf(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (unitMs[unit ?? ''] ?? Number.NaN);
  return ms >= unitMs.m! && ms <= 30 * unitMs.d! ? ms : undefined;
}
