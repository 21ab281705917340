// /docs, /docs/:file

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { HttpError } from '../errors.js';
import type { Content } from '../openapi/content.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route } from '../route.js';
import { pagePolicy, staticFileReply } from './page.js';
import type { StaticFile } from './static-files.js';

type FileParameters = Record<'file', string>;

const page: Content = { 'text/html': { schema: { type: 'string' } } };
const files: Content = {
  'text/css': { schema: { type: 'string' } },
  'text/javascript': { schema: { type: 'string' } },
};

/** The library has its icons in "data:" URLs. */
const fileHeaders = { 'cache-control': 'public, max-age=3600', 'content-security-policy': pagePolicy("'self' data:") };

/** GET of the page that shows the description of the interface. */
const documentationPage: Route = {
  id: 'getDocumentation',
  tag: 'Pages',
  summary: 'Read this description',
  doc: 'Returns a page that shows this description to people.',
  query: {},
  success: { doc: 'The page.', content: page },
  credentials: 'none',
  handler: (_context, request) => documentationReply('', request),
};

/** GET of a file that the page loads. */
const documentationPart: Route<FileParameters> = {
  id: 'getDocumentationFile',
  tag: 'Pages',
  summary: 'Fetch a part of the page of this description',
  doc: 'Returns the style sheet or a script of the page.',
  query: {},
  success: { doc: 'The file.', content: files },
  refusals: { 404: 'The file does not exist.' },
  credentials: 'none',
  handler: (_context, request) => documentationReply(request.params.file, request),
};

export const documentationResource: Resource = {
  name: 'documentation',
  url: '/docs',
  format: 'text',
  GET: documentationPage,
};
export const documentationFileResource: Resource = {
  name: 'documentation-file',
  url: '/docs/:file',
  format: 'text',
  GET: documentationPart,
};

async function documentationReply(name: string, { headers }: Pick<FastifyRequest, 'headers'>): Promise<RouteReply> {
  const file = await documentationFile(name);
  if (file === undefined) throw new HttpError(404, messages.unknownPath());
  return staticFileReply(file, headers['accept-encoding'], fileHeaders);
}

/** The page with the description for people. It loads nothing from other origins. */
const pageText = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Cadastre: REST interface</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="interface">
      <noscript>This page needs JavaScript. The description itself is <a href="/openapi.json">openapi.json</a>.</noscript>
    </div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** The script of the page. */
const startText = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#interface',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

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

const made = new Map<string, Promise<StaticFile>>();

/** A file by its name; `undefined` when there is none. Reads and compresses it at the first request. */
function documentationFile(name: string): Promise<StaticFile> | undefined {
  if (!Object.hasOwn(sources, name)) return undefined;
  let file = made.get(name);
  if (file === undefined) {
    file = makeFile(name as FileName);
    made.set(name, file);
  }
  return file;
}

async function makeFile(name: FileName): Promise<StaticFile> {
  const { contentType, read } = sources[name];
  const identity = await read();
  return { contentType, bodies: { identity, gzip: await promisify(gzip)(identity) } };
}

function libraryFile(name: string): Promise<Buffer> {
  return readFile(fileURLToPath(new URL(name, library)));
}
