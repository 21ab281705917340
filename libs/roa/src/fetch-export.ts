import { open } from 'node:fs/promises';

/** The text of an export. */
export interface FetchedExport {
  readonly text: string;
  /** When it was made, according to the file or server; otherwise when it was read. */
  readonly made: Date;
}

/** Reads a file or, by GET, an http or https URL. Errors: larger than `maxBytes`, or unavailable. */
export function fetchExport(source: string, maxBytes: number, signal: AbortSignal): Promise<FetchedExport> {
  return /^https?:\/\//i.test(source) ? fetchUrl(source, maxBytes, signal) : readWholeFile(source, maxBytes, signal);
}

/** Does not follow redirects: they could lead away from https. */
async function fetchUrl(url: string, maxBytes: number, signal: AbortSignal): Promise<FetchedExport> {
  const { username, password } = new URL(url);
  // Error messages would contain this URL.
  if (username || password) throw new Error('The URL must not hold credentials');
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`The server responded with status ${response.status}`);
  }
  const text = await collect(response.body, maxBytes, signal);
  const modified = Date.parse(response.headers.get('last-modified') ?? '');
  return { text, made: Number.isNaN(modified) ? new Date() : new Date(modified) };
}

async function readWholeFile(path: string, maxBytes: number, signal: AbortSignal): Promise<FetchedExport> {
  await using file = await open(path);
  const { mtime } = await file.stat();
  return { text: await collect(file.createReadStream({ autoClose: false }), maxBytes, signal), made: mtime };
}

/** Checks the signal first: a stream with an aborted signal fails before it has a listener. */
async function collect(chunks: AsyncIterable<Uint8Array>, maxBytes: number, signal: AbortSignal): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of chunks) {
    signal.throwIfAborted();
    bytes += part.length;
    if (bytes > maxBytes) throw new Error(`It is larger than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
