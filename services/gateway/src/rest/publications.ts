import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FastifyStaticOptions } from '@fastify/static';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import type { Content } from '../openapi/content.js';
import { endWhenStalled } from '../reply/reply-end.js';
import type { FileReply, RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route, RouteRequest } from '../route.js';

const page: Content = { 'text/html': { schema: { type: 'string' } } };
const anyFile: Content = { '*/*': { schema: { type: 'string', format: 'binary' } } };
const notFound = { 404: 'This registry publishes no such file.' };
const refusals = {
  ...notFound,
  412: 'The file has changed: `If-Match` or `If-Unmodified-Since` names another state of it.',
  416: 'The file has no such part.',
};

/** GET of the list of sources that others can mirror; clients find a source by the text of its link. */
const mirroredSources: Route = {
  id: 'listMirroredSources',
  tag: 'Mirroring',
  summary: 'List the sources to mirror',
  doc: 'Returns a page with a link to the Update Notification File (RFC 10063) of each source that this registry publishes.',
  query: {},
  success: { doc: 'The page.', content: page },
  refusals: { 404: 'This registry publishes nothing.' },
  credentials: 'none',
  handler: listMirroredSources,
};

/** GET of a file of NRTMv4. */
const mirroringFile: Route<Record<'publishedSource' | 'publishedFile', string>> = {
  id: 'getMirroringFile',
  tag: 'Mirroring',
  summary: 'Fetch a file of NRTMv4',
  doc: 'Returns the Update Notification File of a source, or a snapshot or a delta that it names (RFC 10063). Poll the Update Notification File at most once a minute, with `If-None-Match`. All other files never change. The bytes are those of the file, whose hash the Update Notification File has.',
  query: {},
  success: { doc: 'The file.', content: anyFile, hasRanges: true },
  refusals,
  credentials: 'none',
  handler: (context, request) =>
    publishedFileReply(context, request, ['nrtmv4', request.params.publishedSource, request.params.publishedFile]),
};

/** GET of the list of dumps. */
const dumpList: Route = {
  id: 'listDumps',
  tag: 'Mirroring',
  summary: 'List the dumps',
  doc: 'Returns a page with a link to each file of the daily dumps.',
  query: {},
  success: { doc: 'The page.', content: page },
  refusals: { 404: 'This registry publishes nothing.' },
  credentials: 'none',
  handler: listDumps,
};

const dumpQuery = {};
const dumpSuccess = { doc: 'The file.', content: anyFile, hasRanges: true } as const;

/** GET of a dump of a whole source, its serial, or its checksums. */
const dumpFile: Route<Record<'publishedSource' | 'dumpFile', string>> = {
  id: 'getDump',
  tag: 'Mirroring',
  summary: 'Fetch a dump',
  doc: 'Returns a file of the daily dump of a source: all objects that others may copy, in ISO 8859-1 or, with `.utf8` in its name, in UTF-8; the serial of the dump (`CURRENTSERIAL`); or the SHA-256 checksums of all files (`SHA256SUMS`). All files of a source are of the same moment.',
  query: dumpQuery,
  success: dumpSuccess,
  refusals,
  credentials: 'none',
  handler: (context, request) =>
    publishedFileReply(context, request, ['dumps', request.params.publishedSource, request.params.dumpFile]),
};

/** GET of a dump of the objects of one type. */
const splitDump: Route<Record<'publishedSource' | 'dumpFile', string>> = {
  ...dumpFile,
  id: 'getDumpOfType',
  summary: 'Fetch a dump of one type',
  doc: 'Returns the objects of one type of the daily dump of a source. All 21 types have a file, also those without objects; of the non-authoritative part aut-num, as-set, route and route6.',
  handler: (context, request) =>
    publishedFileReply(context, request, ['dumps', request.params.publishedSource, 'split', request.params.dumpFile]),
};

const common = { format: 'text', isHttpsOnly: true } as const;

/** What the mirror service publishes for other registries. */
export const publicationResources: readonly Resource[] = [
  { ...common, name: 'mirrored-sources', url: '/nrtmv4', GET: mirroredSources },
  { ...common, name: 'mirroring-file', url: '/nrtmv4/:publishedSource/:publishedFile', GET: mirroringFile },
  { ...common, name: 'dumps', url: '/dumps', GET: dumpList },
  { ...common, name: 'dump', url: '/dumps/:publishedSource/:dumpFile', GET: dumpFile },
  { ...common, name: 'split-dump', url: '/dumps/:publishedSource/split/:dumpFile', GET: splitDump },
];

/** How `reply.sendFile` reads the directory of publications: headers are for `publishedFileReply` to say. */
export function publishedFiles(
  directory: string,
): Pick<FastifyStaticOptions, 'index' | 'cacheControl' | 'contentType' | 'dotfiles'> & { readonly root: string } {
  return { root: resolve(directory), index: false, cacheControl: false, contentType: false, dotfiles: 'ignore' };
}

const notificationFile = 'update-notification-file.jose';
/** Names of sources and files; none begins with a dot, as those of files do that are being written. */
const published = /^[A-Za-z0-9][\w.-]{0,254}$/;

async function publishedFileReply(
  { settings, readCachedFile }: Context,
  request: RouteRequest,
  path: readonly [top: 'nrtmv4' | 'dumps', ...string[]],
): Promise<FileReply> {
  const name = path.at(-1)!;
  if (settings.publicationsDirectory === undefined || !path.every((part) => published.test(part))) {
    throw new HttpError(404, messages.noPublishedFile(name));
  }
  endWhenStalled(request.raw, settings.stallTimeout);
  const file = path.join('/');
  const contentType = contentTypes.find(([end]) => name.endsWith(end))![1];
  // The files of a dump belong together: each request sees the newest ones.
  if (path[0] === 'dumps') return { file, contentType, cacheControl: 'no-cache' };
  const cacheControl = name === notificationFile ? 'no-cache' : 'public, max-age=604800, immutable';
  return { file, contentType, cacheControl, stored: await readCachedFile(file) };
}

/** By the end of the name. */
const contentTypes = [
  ['.jose', 'application/jose'],
  ['.gz', 'application/gzip'],
  ['.json', 'application/json-seq'],
  ['', 'text/plain;charset=utf-8'],
] as const;

async function listMirroredSources({ settings }: Context, { base }: RouteRequest): Promise<RouteReply> {
  const directory = topDirectory(settings, 'nrtmv4');
  const names = await entriesOf(directory);
  const found = await Promise.all(
    names.map(async (name) => ((await isFile(join(directory, name, notificationFile))) ? [name] : [])),
  );
  return pageReply(found.flat().map((name) => [`${base}/nrtmv4/${name}/${notificationFile}`, name]));
}

async function listDumps({ settings }: Context, { base }: RouteRequest): Promise<RouteReply> {
  const directory = topDirectory(settings, 'dumps');
  const sources = await entriesOf(directory);
  const files = await Promise.all(
    sources.map(async (source) => {
      const [whole, split] = await Promise.all([
        entriesOf(join(directory, source)),
        entriesOf(join(directory, source, 'split')),
      ]);
      const names = [...whole.filter((name) => name !== 'split'), ...split.map((name) => `split/${name}`)];
      return names.map((name) => `${source}/${name}`);
    }),
  );
  return pageReply(files.flat().map((path) => [`${base}/dumps/${path}`, path]));
}

function topDirectory({ publicationsDirectory }: Context['settings'], top: string): string {
  if (publicationsDirectory === undefined) throw new HttpError(404, messages.unknownPath());
  return join(publicationsDirectory, top);
}

/** What is published in a directory, by name; nothing when it does not exist. */
async function entriesOf(directory: string): Promise<string[]> {
  try {
    const names = await readdir(directory);
    return names.filter((name) => published.test(name)).sort();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** A page with links. The names need no escaping (`published`). */
function pageReply(links: readonly (readonly [url: string, text: string])[]): RouteReply {
  const lines = links.map(([url, text]) => `<a href="${url}">${text}</a><br/>\n`);
  const content = Buffer.from(`<!doctype html>\n<html lang="en">\n<title>Files</title>\n${lines.join('')}</html>\n`);
  return { status: 200, headers: { 'content-type': 'text/html;charset=utf-8' }, content };
}
