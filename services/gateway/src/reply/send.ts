import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { LimitedClient } from '@cadastre/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.js';
import { render, renderError } from '../documents/render.js';
import type { Format, Resource } from '../documents/whois-resources.js';
import { HttpError, httpErrorOf, type ReplyHeaders, sessionChallenge } from '../errors.js';
import type { Body, Coding } from './compress.js';
import { entityTag, hasAlready } from './etag.js';
import type { CachedFile } from './files.js';
import { acceptedEncodings, commonHeaders } from './headers.js';
import { heldBody, smallBytes } from './held-replies.js';
import { limitHeaders } from './limit-headers.js';
import { acceptedFormat, contentTypes, rdapMediaType } from './negotiate.js';

/** The reply of a route: a resource, or a rendered body, complete or as a stream. */
export interface RouteReply {
  readonly status: number;
  readonly headers?: ReplyHeaders;
  readonly content: Resource | Body;
  /** The coding of a body that is already compressed. */
  readonly coding?: Coding | undefined;
  /** Tag of the content before compression, if already known; false: none, as for a stream. */
  readonly entityTag?: string | false;
  /**
   * Whether the reply is the same for every client, so that caches may store it; default: if the request is anonymous.
   */
  readonly isPublic?: boolean;
}

/** A reply that is a complete file or a part of it. */
export interface FileReply {
  /** Its path below `CADASTRE_PUBLICATIONS_DIR`. */
  readonly file: string;
  readonly contentType: string;
  readonly cacheControl: string;
  /** The file, if it is already in memory. */
  readonly stored?: CachedFile | undefined;
  /** The bytes to send instead of those of the file, for a client that accepts their coding. */
  readonly coded?: { readonly coding: Coding; readonly bytes: Buffer } | undefined;
  /** Whether others get other bytes, by their Accept-Encoding. */
  readonly varies?: boolean;
}

/** A success whose document is not whois-resources; only for resources in JSON. */
export function jsonReply(document: object, headers: ReplyHeaders = {}): RouteReply {
  return { status: 200, headers, content: Buffer.from(`${JSON.stringify(document, undefined, 2)}\n`) };
}

type Replying = Pick<Context, 'answerMemory' | 'compressor' | 'limiter' | 'settings'>;

/** Sends a success: compressed if the client accepts that; 304 if a read names the content that the client has. */
export function sendReply(
  context: Replying,
  request: FastifyRequest,
  reply: FastifyReply,
  sent: RouteReply,
): FastifyReply {
  return send(context, request, reply, request.format, { isPublic: request.principal === undefined, ...sent });
}

/** Conditions and ranges for `@fastify/static`. */
const rareHeaders = ['range', 'if-match', 'if-modified-since', 'if-unmodified-since'];

/**
 * Sends a file unchanged, or the coded bytes of one whose hash nobody compares. 304 if the client has it already; parts
 * on request. Unknown: 404.
 */
export function sendFile(
  context: Replying,
  request: FastifyRequest,
  reply: FastifyReply,
  { file, contentType, cacheControl, stored, coded, varies = false }: FileReply,
): FastifyReply {
  const { vary: _, ...common } = commonHeaders(request, false);
  const head: Record<string, string> = { ...common, 'x-request-id': request.id, 'cache-control': cacheControl };
  if (varies) head.vary = 'Accept-Encoding';
  Object.assign(head, limitHeaders(context, request));
  if (stored === undefined || rareHeaders.some((name) => request.headers[name] !== undefined)) {
    head['content-type'] = contentType;
    return reply.headers(head).sendFile(file);
  }
  if (coded === undefined) head['accept-ranges'] = 'bytes';
  head['last-modified'] = stored.modified;
  head.etag = `W/${stored.tag}`;
  if (hasAlready(request.headers['if-none-match'], stored.tag)) return deliver(reply, 304, head, undefined);
  const { bytes } = coded ?? stored;
  head['content-type'] = contentType;
  if (coded !== undefined) head['content-encoding'] = coded.coding;
  head['content-length'] = String(bytes.length);
  return deliver(reply, 200, head, heldBody(context, request, reply, 200, bytes));
}

function send(
  context: Replying,
  request: FastifyRequest,
  reply: FastifyReply,
  format: Format,
  sent: RouteReply,
): FastifyReply {
  const { content, headers, isPublic = false, status } = sent;
  const body = bodyOf(context, request, format, content);
  const isConditional =
    status === 200 &&
    Buffer.isBuffer(body) &&
    sent.entityTag !== false &&
    (request.method === 'GET' || request.method === 'HEAD');
  const head: Record<string, string | string[]> = { ...commonHeaders(request, isPublic && isConditional) };
  head['x-request-id'] = request.id;
  Object.assign(head, limitHeaders(context, request));
  const coding = sent.coding ?? codingOf(context, request, sent, body);
  if (isConditional) {
    const tag = sent.entityTag || entityTag(body);
    // Weak for a compressed body: other bytes, the same document.
    head.etag = coding === undefined ? tag : `W/${tag}`;
    if (hasAlready(request.headers['if-none-match'], tag)) {
      return deliver(reply, 304, Object.assign(head, headers), undefined);
    }
  }
  if (status === 204) return deliver(reply, status, head, undefined);
  head['content-type'] = request.facts.format === 'rdap' ? rdapMediaType : contentTypes[format];
  if (headers) Object.assign(head, request.raw.httpVersionMajor === 1 ? headers : withoutHops(headers));
  // After a Basic challenge to a script, browsers would ask for a password, which does not exist.
  if (status === 401 && request.headers['sec-fetch-dest'] === 'empty') Object.assign(head, sessionChallenge);
  const held = heldBody(context, request, reply, status, body);
  if (coding !== undefined) head['content-encoding'] = coding;
  if (coding === undefined || sent.coding !== undefined) {
    if (Buffer.isBuffer(body)) head['content-length'] = String(body.length);
    return deliver(reply, status, head, held);
  }
  reply.code(status).headers(head);
  return request.method === 'HEAD' ? reply.send() : reply.send(context.compressor.stream(held, coding));
}

function isBody(content: RouteReply['content']): content is Body {
  return Buffer.isBuffer(content) || Symbol.asyncIterator in content;
}

/** The rendered body. The client is charged for its bytes, even for a 304; search charges for a stream. */
function bodyOf({ limiter }: Replying, request: FastifyRequest, format: Format, content: RouteReply['content']) {
  if (isBody(content) && !Buffer.isBuffer(content)) return content;
  const began = performance.now();
  const body = Buffer.isBuffer(content) ? content : Buffer.from(render(format, content));
  // Some refusals precede the identification of the client.
  const client: LimitedClient | undefined = request.limitedClient;
  if (client !== undefined) {
    limiter.charge(client, 'processing', performance.now() - began);
    limiter.charge(client, 'bytes', body.length);
  }
  return body;
}

/**
 * Sends head and body. Skips the serialisers and hooks of Fastify, which this application does not use, and sends a
 * small body as a string: so Node writes one piece instead of a vector of two. Together this saves a sixth of the cost
 * of a cached lookup.
 */
function deliver(
  reply: FastifyReply,
  status: number,
  head: OutgoingHttpHeaders,
  body: Buffer | Readable | undefined,
): FastifyReply {
  const { raw, request } = reply;
  if (body instanceof Readable || request.raw.httpVersionMajor !== 1) {
    return reply.code(status).headers(head).send(body);
  }
  if (body !== undefined) head['content-length'] = String(body.length);
  reply.hijack();
  raw.writeHead(status, head);
  if (body === undefined) raw.end();
  else if (body.length <= smallBytes) raw.end(body.toString('latin1'), 'latin1');
  else raw.end(body);
  return reply;
}

/** The coding of a reply. */
function codingOf(
  { compressor }: Pick<Context, 'compressor'>,
  request: FastifyRequest,
  { status, headers, isPublic }: RouteReply,
  body: Body,
): Coding | undefined {
  const isCoded = headers?.['content-encoding'] !== undefined;
  return status === 200 && isPublic && !isCoded ? compressor.codingFor(body, acceptedEncodings(request)) : undefined;
}

/** HTTP/2 has no headers about the connection (RFC 9113 section 8.2.2). */
function withoutHops({ connection, upgrade, ...headers }: ReplyHeaders): ReplyHeaders {
  return headers;
}

/** Sends a reply without content. */
export function sendEmpty(
  context: Replying,
  request: FastifyRequest,
  reply: FastifyReply,
  headers: ReplyHeaders,
): FastifyReply {
  return send(context, request, reply, 'text', { status: 200, headers, content: Buffer.alloc(0) });
}

/** Sends the reply for a thrown value, in the requested format, or in XML when there is no such format. */
export function sendError(
  context: Replying & Pick<Context, 'logger' | 'settings'>,
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
  rdapError: (context: Replying, request: FastifyRequest, error: HttpError) => Buffer,
): FastifyReply {
  const error = httpErrorOf(thrown);
  const { status, headers, messages } = error;
  if (status >= 500 && !(thrown instanceof HttpError)) logFailure(context, request, status, thrown);
  const { errors } = request.facts;
  if (errors === 'rdap') {
    return send(context, request, reply, 'json', { status, headers, content: rdapError(context, request, error) });
  }
  const resource: Resource = { head: { link: request.link }, messages, tail: { terms: context.settings.termsUrl } };
  const { format, body } = renderError(errors, acceptedFormat(request) ?? 'xml', resource);
  return send(context, request, reply, format, { status, headers, content: Buffer.from(body) });
}

/** Checks report unavailable services, so a warning suffices here. */
function logFailure(
  { logger }: Pick<Context, 'logger'>,
  request: FastifyRequest,
  status: number,
  thrown: unknown,
): void {
  const event = { requestId: request.id, method: request.method, status, err: thrown };
  if (status === 500) logger.error(event, 'request failed');
  else logger.warn(event, 'request failed');
}
