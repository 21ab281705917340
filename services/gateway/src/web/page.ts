// /, /-/*

import type { Context } from '../context.js';
import { HttpError, type ReplyHeaders } from '../errors.js';
import { acceptedCoding } from '../reply/compress.js';
import type { RouteReply } from '../reply/send.js';
import { canonicalUrlOf } from '../request-context.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route, RouteRequest } from '../route.js';
import type { StaticFile } from './static-files.js';

/** GET of the web interface. */
const webPage: Route = {
  id: 'getWebInterface',
  tag: 'Pages',
  summary: 'Open the web interface',
  doc: 'Returns the web application. Paths below `/-/` belong to it too.',
  query: {},
  success: {
    doc: 'The application, or a file that it loads.',
    content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
  },
  refusals: { 404: 'The server has no web interface, or the file does not exist.' },
  credentials: 'none',
  handler: getPage,
};

export const webResource: Resource = {
  name: 'page',
  url: '/',
  aliases: ['/-/*'],
  format: 'text',
  isSameSite: true,
  GET: webPage,
};

const pageHeaders = {
  'content-security-policy': pagePolicy("'self'"),
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
};
const assetHeaders = { 'cache-control': 'public, max-age=31536000, immutable' };
const assets = '/-/assets/';

/**
 * Assets have a hash in their names, so browsers cache them. Every other path is a page of the application, so the
 * reply is the application. 404 without a web interface.
 */
async function getPage(context: Context, request: RouteRequest): Promise<RouteReply> {
  const { path } = canonicalUrlOf(request);
  const isAsset = path.startsWith(assets);
  const file = context.webFiles.get(isAsset ? path.slice(1) : 'index.html');
  if (file === undefined) throw new HttpError(404, messages.unknownPath());
  return staticFileReply(file, request.headers['accept-encoding'], isAsset ? assetHeaders : pageHeaders);
}

/** Replies with a file in the best available coding that the client accepts. */
export function staticFileReply(
  { contentType, bodies }: StaticFile,
  accepted: string | undefined,
  headers: ReplyHeaders,
): RouteReply {
  const built = (['br', 'gzip'] as const).filter((coding) => bodies[coding] !== undefined);
  const coding = acceptedCoding(accepted, built);
  const encoded: ReplyHeaders = coding === undefined ? {} : { 'content-encoding': coding };
  return {
    status: 200,
    headers: { 'content-type': contentType, vary: 'Accept-Encoding', ...encoded, ...headers },
    content: bodies[coding ?? 'identity']!,
  };
}

/** The policy of a page without content from other origins, and without inline scripts and styles. */
export function pagePolicy(images: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
