import { PassThrough } from 'node:stream';
import { allowedAddresses } from '@cadastre/service';
import { Client, FTPError } from 'basic-ftp';
import { MirrorFault } from './origin.js';
import { guardOf, type Reach } from './reach.js';

/** A file of an FTP server. */
export interface FtpFile {
  /** Time and size of the file; absent when the server does not send the time. */
  readonly tag?: string;
  /** Its content. A reader that stops early must end the iteration. Errors: any of the network. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** How to read a file. */
export interface FtpOptions {
  readonly reach: Reach;
  readonly signal: AbortSignal;
  /** Maximum pause of the server. */
  readonly idleTimeoutMs: number;
  /** The tag of the last answer: the file is not fetched again while it stays. */
  readonly tag?: string | undefined;
}

/** A host may have many addresses: at most this number is tried. */
const maxAddresses = 4;

/**
 * Opens a file of an FTP server, without a password; undefined when it has not changed. Connects only to checked
 * addresses: the library makes data connections (passive mode) to the address of the control connection alone, and
 * bounds what a server says. Errors: MirrorFault for addresses that are not allowed, any other of the network.
 */
export async function openFtpFile(url: URL, options: FtpOptions): Promise<FtpFile | undefined> {
  const { reach, signal, idleTimeoutMs } = options;
  const path = pathOf(url);
  const found = await allowedAddresses(url.hostname, guardOf(url, reach));
  const addresses = found.map(({ address }) => address);
  signal.throwIfAborted();
  const client = new Client(idleTimeoutMs, { allowSeparateTransferHost: false });
  const close = () => client.close();
  signal.addEventListener('abort', close);
  const end = () => {
    signal.removeEventListener('abort', close);
    client.close();
  };
  try {
    await connect(client, addresses.slice(0, maxAddresses), Number(url.port || 21), signal);
    const { tag, bytes } = await aboutFile(client, path);
    if (tag !== undefined && tag === options.tag) {
      end();
      return undefined;
    }
    return { ...(tag === undefined ? {} : { tag }), body: contentOf({ client, path, bytes, end }) };
  } catch (error) {
    end();
    throw signal.aborted ? signal.reason : error;
  }
}

/** The path from the directory after the login (RFC 1738 section 3.2.2). */
function pathOf(url: URL): string {
  const path = decodeURIComponent(url.pathname.slice(1));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they end a command, and the rest would be one of its own.
  if (path === '' || /[\x00-\x1f\x7f]/.test(path)) throw new MirrorFault('refused', `${url.href} names no file`);
  return path;
}

async function connect(client: Client, addresses: readonly string[], port: number, signal: AbortSignal) {
  let failed: unknown;
  for (const host of addresses) {
    try {
      await client.access({ host, port, user: 'anonymous', password: 'cadastre-mirror@' });
      return;
    } catch (error) {
      if (error instanceof FTPError || signal.aborted) throw error;
      failed = error;
    }
  }
  throw failed;
}

/** What the server says about a file; not all servers know these commands. */
async function aboutFile(client: Client, path: string): Promise<{ tag?: string; bytes?: number }> {
  const bytes = await unlessRefused(client.size(path));
  const changed = await unlessRefused(client.lastMod(path));
  const isTime = changed !== undefined && !Number.isNaN(changed.getTime());
  return {
    ...(bytes === undefined ? {} : { bytes }),
    ...(isTime && { tag: `${changed.toISOString()} ${bytes ?? ''}` }),
  };
}

async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof FTPError) return undefined;
    throw error;
  }
}

interface Opened {
  readonly client: Client;
  readonly path: string;
  readonly bytes: number | undefined;
  readonly end: () => void;
}

/** The end of the data alone does not prove that a transfer is complete: the reply of the server does, and the size. */
async function* contentOf({ client, path, bytes, end }: Opened): AsyncGenerator<Uint8Array> {
  const data = new PassThrough({ highWaterMark: 256 << 10 });
  data.on('error', () => {});
  const transfer = client.downloadTo(data, path);
  transfer.catch((error) => data.destroy(error));
  let received = 0;
  try {
    for await (const piece of data as AsyncIterable<Uint8Array>) {
      received += piece.length;
      yield piece;
    }
    await transfer;
    if (bytes !== undefined && received !== bytes) throw new Error(`it has ${bytes} bytes, ${received} came`);
  } finally {
    end();
  }
}
