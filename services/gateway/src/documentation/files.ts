import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { WebFile } from '../web-files.js';
import { pageText, startText } from './page.js';

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

const made = new Map<string, Promise<WebFile>>();

/** A file by its name; `undefined` when there is none. It is read and compressed when it is asked for first. */
export function documentationFile(name: string): Promise<WebFile> | undefined {
  if (!Object.hasOwn(sources, name)) return undefined;
  let file = made.get(name);
  if (file === undefined) {
    file = makeFile(name as FileName);
    made.set(name, file);
  }
  return file;
}

async function makeFile(name: FileName): Promise<WebFile> {
  const { contentType, read } = sources[name];
  const identity = await read();
  return { contentType, bodies: { identity, gzip: await promisify(gzip)(identity) } };
}

function libraryFile(name: string): Promise<Buffer> {
  return readFile(fileURLToPath(new URL(name, library)));
}
