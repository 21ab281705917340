import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from './context.js';
import { type AnswerHeaders, Refusal, refusalOf } from './errors.js';
import { baseOf, formatOf, isSecure, linkOf, locatorOf } from './exchange.js';
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
}

const plainHeaders = {
  'cache-control': 'no-cache, no-store, must-revalidate',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const secureHeaders = { ...plainHeaders, 'strict-transport-security': 'max-age=31536000' };

/** Sends an answer. */
export function respond(request: FastifyRequest, reply: FastifyReply, format: Format, answer: Answer): FastifyReply {
  reply
    .code(answer.status)
    .headers(isSecure(request) ? secureHeaders : plainHeaders)
    .header('x-request-id', request.id);
  if (answer.headers) reply.headers(answer.headers);
  const { content } = answer;
  const isRendered = Buffer.isBuffer(content) || content instanceof Readable;
  const body = isRendered ? content : Buffer.from(render(format, content));
  return reply.header('content-type', contentTypes[format]).send(body);
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
