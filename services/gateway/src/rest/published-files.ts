import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SettingsError } from '@cadastre/service';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import type { Content } from '../openapi/content.js';
import { leastBytes } from '../reply/compress.js';
import { acceptedEncodings } from '../reply/headers.js';
import { endWhenStalled } from '../reply/reply-end.js';
import type { FileReply, RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { RouteRequest } from '../route.js';

export const listPage: Content = { 'text/html': { schema: { type: 'string' } } };
export const anyFile: Content = { '*/*': { schema: { type: 'string', format: 'binary' } } };
const notFound = { 404: 'This registry does not publish the file.' };
export const leadsToBucket = { 302: 'Files are in a bucket: `Location` is the URL there.' };
export const refusals = {
  ...leadsToBucket,
  ...notFound,
  412: 'The file has changed: `If-Match` or `If-Unmodified-Since` names another state of it.',
  416: 'The file does not have this part.',
};

/** The common properties of the resources of published files. */
export const publishedResource = { format: 'text', isHttpsOnly: true } as const;

/**
 * Lets `reply.sendFile` read the directory of publications: `publishedFileReply` sets the headers. Undefined when there
 * is none. Throws a SettingsError when the settings name a bucket as well.
 */
export function publishedFiles({ publicationsDirectory, publicationsUrl }: Context['settings']) {
  if (publicationsDirectory === undefined) return undefined;
  if (publicationsUrl !== undefined) {
    throw new SettingsError(['CADASTRE_PUBLICATIONS_DIR, CADASTRE_PUBLICATIONS_URL: only one of them']);
  }
  const root = resolve(publicationsDirectory);
  return { root, index: false, cacheControl: false, contentType: false, dotfiles: 'ignore' } as const;
}

/** The file of NRTMv4 that lists the others. */
export const notificationFile = 'update-notification-file.jose';

/** Names of sources and files; none begins with a dot, unlike those of unfinished files. */
const published = /^[A-Za-z0-9][\w.-]{0,254}$/;

export async function publishedFileReply(
  { settings, readCachedFile, compressor }: Context,
  request: RouteRequest,
  path: readonly [top: 'nrtmv4' | 'dumps', ...string[]],
): Promise<FileReply> {
  const name = path.at(-1)!;
  const { publicationsDirectory, publicationsUrl, stallTimeout } = settings;
  const isKnown = publicationsDirectory !== undefined || publicationsUrl !== undefined;
  if (!isKnown || !path.every((part) => published.test(part))) {
    throw new HttpError(404, messages.noPublishedFile(name));
  }
  const file = path.join('/');
  if (publicationsUrl !== undefined) throw redirect(publicationsUrl, file);
  endWhenStalled(request.raw, stallTimeout);
  const contentType = contentTypes.find(([end]) => name.endsWith(end))![1];
  // The files of a dump are consistent: each request reads the newest ones.
  if (path[0] === 'dumps') return { file, contentType, cacheControl: 'no-cache' };
  const stored = await readCachedFile(file);
  if (name !== notificationFile)
    return { file, contentType, cacheControl: 'public, max-age=604800, immutable', stored };
  // All followers fetch it each minute. Its signature is inside, so nobody compares the hash of its bytes.
  const coding = stored && compressor.codingFor(stored.bytes, acceptedEncodings(request));
  const coded = coding && { coding, bytes: await stored.coded(coding, compressor) };
  const varies = stored !== undefined && stored.bytes.length >= leastBytes;
  return { file, contentType, cacheControl: 'no-cache', stored, coded, varies };
}

/** By the suffix of the name. */
const contentTypes = [
  ['.jose', 'application/jose'],
  ['.gz', 'application/gzip'],
  ['.json', 'application/json-seq'],
  ['', 'text/plain;charset=utf-8'],
] as const;

/** The directory of one kind of files; throws when they are in a bucket, or when there are none. */
export function topDirectory({ publicationsDirectory, publicationsUrl }: Context['settings'], top: string): string {
  if (publicationsUrl !== undefined) throw redirect(publicationsUrl, `${top}/`);
  if (publicationsDirectory === undefined) throw new HttpError(404, messages.unknownPath());
  return join(publicationsDirectory, top);
}

/** What leads to a file, or to a folder, in the bucket; its URL may change, so caches do not store the reply. */
function redirect(publicationsUrl: string, path: string): HttpError {
  const location = `${publicationsUrl.replace(/\/$/, '')}/${path}`;
  return new HttpError(302, messages.isInBucket(), { location, 'cache-control': 'no-cache' });
}

/** The entries of a directory of publications, by name; none when it does not exist. */
export async function entriesOf(directory: string): Promise<string[]> {
  try {
    const names = await readdir(directory);
    return names.filter((name) => published.test(name)).sort();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** A page with links. The names need no escaping (`published`). */
export function pageReply(links: readonly (readonly [url: string, text: string])[]): RouteReply {
  const lines = links.map(([url, text]) => `<a href="${url}">${text}</a><br/>\n`);
  const content = Buffer.from(`<!doctype html>\n<html lang="en">\n<title>Files</title>\n${lines.join('')}</html>\n`);
  return { status: 200, headers: { 'content-type': 'text/html;charset=utf-8' }, content };
}
