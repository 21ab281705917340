// /v1/whois

import { Readable } from 'node:stream';
import { ServiceError } from '@cadastre/service';
import type { FastifyReply } from 'fastify';
import { beginStream, eachInTurn } from '../backends/set-streams.js';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { textContent } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import { clientGone, endWhenStalled } from '../reply/reply-end.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { PathParameters, Resource, Route, RouteRequest } from '../route.js';

const lineQuery = {
  q: parameter.text('The line: an IRRd-style command, or a RIPE-style query.', {
    required: true,
    example: '!iAS-EXAMPLE,1',
  }),
};

type LineRequest = RouteRequest<PathParameters, typeof lineQuery>;

/** GET of the answer of port 43 to a line, as IRRd has it over HTTP. */
const whoisLine: Route<PathParameters, typeof lineQuery> = {
  id: 'answerWhoisLine',
  tag: 'Search',
  summary: 'Send a line to port 43',
  doc: 'Returns the answer of port 43 to one line, as `/v1/whois/` of IRRd does: the data of an IRRd-style command without the lines around them, or the answer to a RIPE-style query. A command that fails is refused (400) with its text. The registry sends the response during its creation. If it cannot complete it, it aborts the connection: never make a filter from an incomplete response.',
  query: lineQuery,
  success: {
    doc: 'The answer, in ISO 8859-1 unless the line requests another character set.',
    content: textContent,
    empty: 'The command finds nothing.',
  },
  credentials: 'optional',
  handler: answerLine,
};

export const whoisLineResource: Resource = {
  name: 'whois-line',
  url: '/v1/whois',
  load: 'search',
  format: 'text',
  GET: whoisLine,
};

async function answerLine(context: Context, request: LineRequest, reply: FastifyReply): Promise<RouteReply> {
  const { client, limitedClient, query } = request;
  if (query.q.trim() === '') throw new HttpError(400, messages.lineRequired());
  const { stallTimeout, streamDeadline } = context.settings;
  const requested = { line: query.q, clientAddress: client.address };
  try {
    const { first, rest } = await beginStream(context, clientGone(reply), (sets, signal) =>
      sets.answerLine(requested, { deadlineMs: streamDeadline, requestId: request.id, signal }),
    );
    const headers = { 'content-type': 'text/plain;charset=iso-8859-1' };
    if (request.method === 'HEAD') {
      await rest.return?.();
      return { status: 200, headers, content: Readable.from([]) };
    }
    endWhenStalled(request.raw, stallTimeout);
    context.limiter.charge(limitedClient, 'bytes', first.data.length);
    const others = eachInTurn(context, limitedClient, rest, ({ data }) => data.length);
    return { status: 200, headers, content: dataOf(first, others) };
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not-found') return { status: 204, content: Buffer.alloc(0) };
    throw error;
  }
}

type Part = { readonly data: Buffer };

async function* dataOf(first: Part, others: AsyncIterable<Part>): AsyncGenerator<Buffer> {
  yield first.data;
  for await (const { data } of others) yield data;
}
