import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

/** A file of the web interface, as it was built. */
export interface WebFile {
  readonly contentType: string;
  /** By content coding (RFC 9110 section 8.4.1); what was not built is absent. */
  readonly bodies: { readonly identity: Buffer; readonly br?: Buffer; readonly gzip?: Buffer };
}

/** Files by their path below the directory, with "/" between its parts: `index.html`, `-/assets/index-B5vGxD.js`. */
export type WebFiles = ReadonlyMap<string, WebFile>;

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * Reads the built web interface, which is small, into memory: nothing on the disk is reached by a request. No directory
 * gives no files; one without an index.html is refused with an Error.
 */
export async function readWebFiles(directory: string | undefined): Promise<WebFiles> {
  if (directory === undefined) return new Map();
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && extname(entry.name) in contentTypes);
  const read = await Promise.all(files.map((entry) => readWebFile(directory, join(entry.parentPath, entry.name))));
  const named = new Map(read);
  if (!named.has('index.html')) throw new Error(`there is no index.html in CADASTRE_WEB_DIR (${directory})`);
  return named;
}

async function readWebFile(directory: string, file: string): Promise<readonly [string, WebFile]> {
  const [identity, br, gzip] = await Promise.all([readFile(file), ifThere(`${file}.br`), ifThere(`${file}.gz`)]);
  const name = relative(directory, file).split(sep).join('/');
  const bodies = { identity, ...(br ? { br } : {}), ...(gzip ? { gzip } : {}) };
  return [name, { contentType: contentTypes[extname(file)]!, bodies }];
}

function ifThere(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
