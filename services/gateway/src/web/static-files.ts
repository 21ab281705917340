import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { unlessAbsent } from '@cadastre/service';

/** A small file that the gateway has in memory. */
export interface StaticFile {
  readonly contentType: string;
  /** By content coding (RFC 9110 section 8.4.1); absent if not built. */
  readonly bodies: { readonly identity: Buffer; readonly br?: Buffer; readonly gzip?: Buffer };
}

/** Files by their path below the directory, with "/" between its parts: `index.html`, `-/assets/index-B5vGxD.js`. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * Reads the built web interface, which is small, into memory, so that no request accesses the disk. Returns no files
 * without a directory. Throws an Error when the directory has no index.html.
 */
export async function readStaticFiles(directory: string | undefined): Promise<StaticFiles> {
  if (directory === undefined) return new Map();
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && extname(entry.name) in contentTypes);
  const read = await Promise.all(files.map((entry) => readStaticFile(directory, join(entry.parentPath, entry.name))));
  const named = new Map(read);
  if (!named.has('index.html')) throw new Error(`there is no index.html in CADASTRE_WEB_DIR (${directory})`);
  return named;
}

async function readStaticFile(directory: string, file: string): Promise<readonly [string, StaticFile]> {
  const ifThere = (end: string) => unlessAbsent(readFile(`${file}${end}`));
  const [identity, br, gzip] = await Promise.all([readFile(file), ifThere('.br'), ifThere('.gz')]);
  const name = relative(directory, file).split(sep).join('/');
  const bodies = { identity, ...(br ? { br } : {}), ...(gzip ? { gzip } : {}) };
  return [name, { contentType: contentTypes[extname(file)]!, bodies }];
}
