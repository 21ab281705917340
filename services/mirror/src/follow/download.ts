import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createGunzip } from 'node:zlib';
import { errorText, guardedRequest } from '@cadastre/service';
import { openFtpFile } from './ftp.js';
import { MirrorFault } from './origin.js';
import { guardOf, type Reach } from './reach.js';

/** Options of one file. */
export interface FetchOptions {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** A short file as it is now. */
export type Fetched =
  | { readonly isNew: false }
  /** `tag` makes the next request conditional. */
  | { readonly isNew: true; readonly text: string; readonly tag?: string };

/** The validators of a file, which make the next request for it conditional. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/** A temporary file without a name: it disappears with the process at the latest. */
export interface Downloaded {
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  readonly bytes: number;
  /** Its content from the beginning. */
  open(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Maximum pause of a server, and maximum time for one file. */
const idleTimeoutMs = 30_000;
const timeoutMs = 3_600_000;
const maxRedirects = 3;

/**
 * Reads a short text (UTF-8) from an https, http, ftp or file URL; servers may compress it. With the tag of the last
 * answer, a server can omit an unchanged text. Errors: MirrorFault.
 */
export async function fetchText(
  url: URL,
  reach: Reach,
  { maxBytes, signal, tag }: FetchOptions & { readonly tag?: string | undefined },
): Promise<Fetched> {
  const answer = await request(url, reach, signal, { 'accept-encoding': 'gzip', ...conditionsOf({ etag: tag }) });
  if (answer === undefined) return { isNew: false };
  const pieces: Uint8Array[] = [];
  for await (const piece of boundedPieces(url, decoded(url, answer), maxBytes)) pieces.push(piece);
  const text = Buffer.concat(pieces).toString();
  return { isNew: true, text, ...(answer.tag === undefined ? {} : { tag: answer.tag }) };
}

/** The body without its content coding. */
function decoded(url: URL, { body, coding = 'identity' }: Answer): AsyncIterable<Uint8Array> {
  if (coding === 'identity') return body;
  if (coding !== 'gzip') throw new MirrorFault('transient', `${url.href} has an unknown content coding`);
  // The reader of the result gets the errors of both.
  return pipeline(body, createGunzip(), () => {});
}

/** Downloads a file from an https, http, ftp or file URL to a temporary file. Errors: MirrorFault. */
export async function downloadFile(url: URL, reach: Reach, options: FetchOptions): Promise<Downloaded> {
  return (await downloadIfNew(url, reach, options))!;
}

/** The same, with the validators of the file; undefined when it has not changed since these validators. */
export async function downloadIfNew(
  url: URL,
  reach: Reach,
  { maxBytes, signal, validators }: FetchOptions & { readonly validators?: Validators | undefined },
): Promise<(Downloaded & { readonly validators: Validators }) | undefined> {
  const answer = await request(url, reach, signal, conditionsOf(validators ?? {}));
  if (answer === undefined) return undefined;
  const { tag: etag, lastModified } = answer;
  const file = await namelessFile();
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of boundedPieces(url, answer.body, maxBytes)) {
      hash.update(piece);
      await file.writeFile(piece);
      bytes += piece.length;
    }
    return {
      validators: { ...(etag && { etag }), ...(lastModified && { lastModified }) },
      hash: hash.digest('hex'),
      bytes,
      open: () => file.createReadStream({ start: 0, autoClose: false, highWaterMark: 256 << 10 }),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Servers prefer the tag (RFC 9110 section 13.2.2). */
function conditionsOf({ etag, lastModified }: Validators): Headers {
  return {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
  };
}

async function namelessFile(): Promise<FileHandle> {
  const name = path.join(tmpdir(), `cadastre-mirror-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  await unlink(name);
  return file;
}

async function* boundedPieces(url: URL, body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const piece of body) {
      bytes += piece.length;
      if (bytes > maxBytes) throw new MirrorFault('refused', `${url.href} is longer than ${maxBytes} bytes`);
      yield piece;
    }
  } catch (error) {
    throw error instanceof MirrorFault ? error : unreadable(url, error);
  }
}

function unreadable(url: URL, error: unknown): MirrorFault {
  return new MirrorFault('transient', `${url.href} cannot be read: ${errorText(error)}`, { cause: error });
}

interface Answer {
  readonly body: AsyncIterable<Uint8Array>;
  readonly tag?: string | undefined;
  readonly lastModified?: string | undefined;
  readonly coding?: string | undefined;
}

type Headers = Readonly<Record<string, string>>;

/** Undefined when the file has not changed. */
async function request(url: URL, reach: Reach, signal: AbortSignal, headers: Headers): Promise<Answer | undefined> {
  signal.throwIfAborted();
  if (url.protocol === 'file:') return { body: createReadStream(fileURLToPath(url), { signal }) };
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  if (url.protocol === 'ftp:') return requestFtp(url, reach, bounded, headers);
  let next = url;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await guardedRequest(next, guardOf(next, reach), {
      headers: { 'user-agent': 'cadastre-mirror', ...headers },
      signal: bounded,
      timeout: idleTimeoutMs,
      ca: reach.ca,
    }).catch((error) => {
      throw error instanceof MirrorFault ? error : unreadable(next, error);
    });
    const { statusCode: status = 0, headers: received } = response;
    if (status === 200) {
      const { etag: tag, 'last-modified': lastModified, 'content-encoding': coding } = received;
      return { body: response, tag, lastModified, coding };
    }
    response.destroy();
    if (status === 304 && ('if-none-match' in headers || 'if-modified-since' in headers)) return undefined;
    if (![301, 302, 303, 307, 308].includes(status) || received.location === undefined) {
      throw new MirrorFault('transient', `${next.href}: ${answererOf(next, reach)} answered with status ${status}`);
    }
    next = redirection(next, received.location, reach);
  }
  throw new MirrorFault('transient', `${url.href}: there are more than ${maxRedirects} redirects`);
}

/** Without TLS, an answer may be that of a proxy. */
function answererOf({ protocol }: URL, { proxy }: Reach): string {
  return proxy !== undefined && protocol === 'http:' ? 'the server or the egress proxy' : 'the server';
}

/** FTP has no conditional requests: the tag of the last answer is time and size of the file. */
async function requestFtp(url: URL, reach: Reach, signal: AbortSignal, headers: Headers): Promise<Answer | undefined> {
  try {
    return await openFtpFile(url, { reach, signal, idleTimeoutMs, tag: headers['if-none-match'] });
  } catch (error) {
    throw error instanceof MirrorFault ? error : unreadable(url, error);
  }
}

/** Never away from https. */
function redirection(from: URL, location: string, reach: Reach): URL {
  const url = URL.parse(location, from.href);
  const mayBeHttp = reach.ownNetwork || from.protocol === 'http:';
  if (url?.protocol === 'https:' || (mayBeHttp && url?.protocol === 'http:')) return url;
  throw new MirrorFault('refused', `${from.href}: the server redirects to what is not https`);
}
