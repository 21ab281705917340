import { isRecord, Nrtm3CutOff, Nrtm3Fault, type Nrtm3Item, readNrtm3Answer, writeNrtm3Request } from '@cadastre/nrtm';
import { type Mirrored, MirrorFault, type Origin, type ReadOrigin } from '../origin.js';
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
import { reachOf } from '../reach.js';
import { type Batch, type BatchBounds, type DumpFiles, gatherBatch, loadDump, readDumpSerial } from './changes.js';
import { type AnswerBounds, askWhois, meaningOf, shownServer, type WhoisServer } from './whois-client.js';

/** The operator's configuration of an origin, and bounds that tests lower. */
export interface Nrtm3Options extends WhoisServer, DumpFiles {
  /** The source's name there, upper case. */
  readonly source: string;
  readonly batch?: BatchBounds;
  readonly answer?: AnswerBounds;
}

/** Servers expect a request once a minute. */
const everyMs = 60_000;

const usualBatch: BatchBounds = { changes: 5_000, length: 8 << 20 };

/** A registry that serves its changes by NRTM version 3, and has dumps for new followers. */
export function nrtm3Origin(options: Nrtm3Options): Origin {
  return {
    kind: 'nrtm3',
    address: shownServer(options),
    originSource: options.source,
    ownNetwork: options.reach.ownNetwork,
    classes: options.classes,
    warnings: unprotected([...options.dumps, options.serial], options.reach.ownNetwork),
    everyMs,
    async update(stored, mirrored) {
      const before = stored as Nrtm3State | undefined;
      const state = before ?? (await reload(options, mirrored, undefined));
      if ((await follow(options, state, mirrored)) === 'current') return {};
      const reloaded = await reload(options, mirrored, state.serial);
      if ((await follow(options, reloaded, mirrored)) === 'current') return {};
      throw new MirrorFault('refused', `The server has no changes after its dump with the serial ${reloaded.serial}`);
    },
  };
}

/** Loads the dump, which must be newer than the copy: only it has the changes that the server has removed. */
async function reload(options: Nrtm3Options, mirrored: Mirrored, reached: number | undefined): Promise<Nrtm3State> {
  const serial = await readDumpSerial(options, mirrored.signal);
  if (reached !== undefined && serial <= reached) {
    const why = `The server has removed changes after ${reached}, and its dump is of ${serial}`;
    throw new MirrorFault('refused', why);
  }
  mirrored.logger.info({ source: mirrored.source, serial, reached }, 'loads dump');
  const applied = await loadDump(options, options.source, serial, mirrored);
  const state: Nrtm3State = { serial };
  await mirrored.save({ state, version: serial, applied });
  return state;
}

/** Applies the changes after those of the copy, a batch at a time. */
async function follow(options: Nrtm3Options, state: Nrtm3State, mirrored: Mirrored): Promise<'current' | 'gap'> {
  const first = state.serial + 1;
  const line = writeNrtm3Request({ source: options.source, version: 3, first });
  const items = readNrtm3Answer(askWhois(options, line, mirrored.signal, options.answer));
  try {
    return await applyAnswer(options, state, items, mirrored);
  } catch (error) {
    if (!(error instanceof Nrtm3Fault)) throw error;
    const kind = error instanceof Nrtm3CutOff ? 'transient' : 'refused';
    throw new MirrorFault(kind, `${shownServer(options)}: ${error.message}`, { cause: error });
  }
}

async function applyAnswer(
  options: Nrtm3Options,
  { serial }: Nrtm3State,
  items: AsyncIterable<Nrtm3Item>,
  mirrored: Mirrored,
): Promise<'current' | 'gap'> {
  const gathered = gatherBatch(options.batch ?? usualBatch, options.classes);
  let last = serial;
  const apply = async (batch: Batch | undefined, reached: number) => {
    const applied = batch && (await applyBatch(options, batch, mirrored));
    if (reached > serial) {
      const state: Nrtm3State = { serial: reached };
      await mirrored.save({ state, version: reached, ...(applied && { applied }) });
    }
    return 'current' as const;
  };
  for await (const item of items) {
    switch (item.kind) {
      case 'start':
        requireStart(options, item.start, serial + 1);
        ({ last } = item.start);
        break;
      case 'change':
        if (gathered.add(item.change)) await apply(gathered.take(), item.change.serial);
        break;
      case 'end':
        return apply(gathered.take(), last);
      case 'current':
        return 'current';
      case 'refused':
        return meaningOf(item, serial + 1);
    }
  }
  throw new Nrtm3CutOff();
}

function requireStart(
  { source }: Nrtm3Options,
  start: { readonly source: string; readonly first: number },
  first: number,
): void {
  if (start.source !== source) throw new Nrtm3Fault(`The answer is of the source ${start.source}, not ${source}`);
  if (start.first !== first) throw new Nrtm3Fault(`The answer begins with the serial ${start.first}, not ${first}`);
}

/** Number of changes in a message to the writer. */
const portion = 500;

async function applyBatch({ source }: Nrtm3Options, { changes, rejected }: Batch, { writer, signal }: Mirrored) {
  async function* portions() {
    for (let at = 0; at < changes.length; at += portion) yield changes.slice(at, at + portion);
  }
  const applied = await writer.apply(portions(), { originSource: source, signal });
  return { ...applied, rejected: applied.rejected + rejected };
}

/** The state of a follower of a whois server. Stored as JSON: a release must read the state of the previous one. */
export interface Nrtm3State {
  /** Every change up to this serial is applied. */
  readonly serial: number;
}

const members = ['host', 'port', 'source', 'dump', 'serial', 'encoding', 'classes', 'ownNetwork'];

/**
 * Reads `{"host", "port"?, "source", "dump", "serial", "encoding"?, "classes"?, "ownNetwork"?}`: the whois server that
 * serves changes (port 43 by default), the source's name there, the URLs of a dump (one, or a list of its files, each
 * possibly gzipped; `{class}` stands for each of the classes) and of the file with the serial of that dump, "latin1"
 * (default) or "utf8" for the dump, the classes to follow (default "all"), and whether the origin is in the operator's
 * own network.
 */
export const readNrtm3Origin: ReadOrigin = (given, _source, proxy) => {
  if (!isRecord(given)) return { ok: false, faults: ['must be an object'] };
  const { host, port = 43, source, dump, serial, encoding = 'latin1', ownNetwork = false, ...most } = given;
  const { classes = 'all', ...others } = most;
  const { urls: dumps, faults: noClasses } = urlsByClass(Array.isArray(dump) ? dump : [dump], classes);
  const faults = [
    ...unknownFaults(others, members),
    ...(isHost(host) ? [] : ['host: must be the name or address of a whois server']),
    ...(isPort(port) ? [] : ['port: must be a number up to 65535']),
    ...sourceFaults(source),
    ...(Array.isArray(dump) && dump.length === 0 ? ['dump: must have a URL'] : []),
    ...dumps.flatMap((url) => dumpUrlFaults('dump', url)),
    ...dumpUrlFaults('serial', serial),
    ...encodingFaults(encoding),
    ...classesFaults(classes),
    ...noClasses,
    ...flagFaults('ownNetwork', ownNetwork),
  ];
  if (faults.length > 0) return { ok: false, faults };
  return {
    ok: true,
    value: nrtm3Origin({
      host: host as string,
      port: port as number,
      source: (source as string).toUpperCase(),
      dumps: dumps.map((url) => new URL(url as string)),
      serial: new URL(serial as string),
      encoding: encoding as 'latin1' | 'utf8',
      classes: classesOf(classes),
      reach: reachOf(ownNetwork === true, proxy),
    }),
  };
};

function isHost(host: unknown): host is string {
  return (
    typeof host === 'string' && URL.parse(`whois://${bracketed(host)}:43`) !== null && /^[\w.:-]{1,253}$/.test(host)
  );
}

function isPort(port: unknown): boolean {
  return Number.isInteger(port) && (port as number) > 0 && (port as number) < 65_536;
}

/** A host in the form of URLs. */
function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
