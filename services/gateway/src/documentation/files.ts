import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pageText, startText } from './page.js';

/** A file of the browsable description. */
export interface DocumentationFile {
  readonly contentType: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

/** The page itself has no name. */
type FileName = '' | 'start.js' | 'swagger-ui.css' | 'swagger-ui-bundle.js';

const library = new URL('.', import.meta.resolve('swagger-ui-dist/package.json'));

const sources: Readonly<Record<FileName, { contentType: string; read: () => Promise<Buffer> }>> = {
  '': { contentType: 'text/html;charset=utf-8', read: async () => Buffer.from(pageText) },
  'start.js': { contentType: 'text/javascript;charset=utf-8', read: async () => Buffer.from(startText) },
  'swagger-ui.css': { contentType: 'text/css;charset=utf-8', read: () => libraryFile('swagger-ui.css') },
  'swagger-ui-bundle.js': {
    contentType: 'text/javascript;charset=utf-8',
    read: () => libraryFile('swagger-ui-bundle.js'),
  },
};

const made = new Map<string, Promise<DocumentationFile>>();

/** A file by its name; `undefined` when there is none. It is read and compressed when it is asked for first. */
export function documentationFile(name: string): Promise<DocumentationFile> | undefined {
  if (!Object.hasOwn(sources, name)) return undefined;
  let file = made.get(name);
  if (file === undefined) {
    file = makeFile(name as FileName);
    made.set(name, file);
  }
  return file;
}

async function makeFile(name: FileName): Promise<DocumentationFile> {
  const { contentType, read } = sources[name];
  const plain = await read();
  return { contentType, plain, gzipped: await promisify(gzip)(plain) };
}

function libraryFile(name: string): Promise<Buffer> {
  return readFile(fileURLToPath(new URL(name, library)));
}
