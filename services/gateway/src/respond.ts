import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerHeaders } from './answer-headers.js';
import { entityTag, hasAlready } from './conditional.js';
import type { Context } from './context.js';
import { type AnswerHeaders, Refusal, refusalOf, sessionChallenge } from './errors.js';
import { baseOf, formatOf, linkOf, locatorOf } from './exchange.js';
import { renderError } from './format/error-body.js';
import { render } from './format/render.js';
import type { Resource } from './format/resource.js';
import type { Format } from './format/writer.js';
import { contentTypes } from './negotiate.js';

/** What a route answers: a resource to be shown, or a body that is rendered already, at once or piece by piece. */
export interface Answer {
  readonly status: number;
  readonly headers?: AnswerHeaders;
  readonly content: Resource | Buffer | Readable;
  /** Of the content, where it is known already. */
  readonly entityTag?: string;
  /** Whether everybody gets this answer, so that caches may keep it; they must ask whether it still holds. */
  readonly isPublic?: boolean;
}

/** Caches may keep it but must ask each time. */
const revalidated = 'no-cache';

/** Sends an answer; 304 without it when a read asks for what the client has already. */
export function respond(request: FastifyRequest, reply: FastifyReply, format: Format, answer: Answer): FastifyReply {
  reply.code(answer.status).headers(answerHeaders(request)).header('x-request-id', request.id);
  const { content, headers, isPublic } = answer;
  const body = Buffer.isBuffer(content) || content instanceof Readable ? content : Buffer.from(render(format, content));
  if (answer.status === 200 && Buffer.isBuffer(body) && (request.method === 'GET' || request.method === 'HEAD')) {
    const tag = answer.entityTag ?? entityTag(body);
    reply.header('etag', tag);
    if (isPublic) reply.header('cache-control', revalidated);
    if (hasAlready(request.headers['if-none-match'], tag))
      return reply
        .code(304)
        .headers(headers ?? {})
        .send();
  }
  reply.header('content-type', contentTypes[format]);
  if (headers) reply.headers(request.raw.httpVersionMajor === 1 ? headers : withoutHops(headers));
  // To a Basic challenge to a script, browsers ask for a password that nobody has.
  if (answer.status === 401 && request.headers['sec-fetch-dest'] === 'empty') reply.headers(sessionChallenge);
  return reply.send(body);
}

/** HTTP/2 has no headers about the connection (RFC 9113 section 8.2.2). */
function withoutHops({ connection, upgrade, ...headers }: AnswerHeaders): AnswerHeaders {
  return headers;
}

/** Sends whatever was thrown, in the format that was asked for, or in XML when there is no such format. */
export function respondError(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
): FastifyReply {
  const refusal = refusalOf(thrown);
  if (refusal.status >= 500 && !(thrown instanceof Refusal)) logFailure(context, request, refusal.status, thrown);
  const locator = locatorOf(request);
  const resource: Resource = {
    head: { link: linkOf(baseOf(request, context.settings), locator) },
    messages: refusal.messages,
    tail: { terms: context.settings.termsUrl },
  };
  const { format, body } = renderError(locator.target.kind, formatOf(request, locator) ?? 'xml', resource);
  return respond(request, reply, format, {
    status: refusal.status,
    headers: refusal.headers,
    content: Buffer.from(body),
  });
}

/** Neighbours that are away are reported by their checks; here they are only worth a warning. */
function logFailure(context: Context, request: FastifyRequest, status: number, thrown: unknown): void {
  const event = { requestId: request.id, method: request.method, status, err: thrown };
  if (status === 500) context.logger.error(event, 'request failed');
  else context.logger.warn(event, 'request failed');
}
