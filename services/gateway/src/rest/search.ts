// /search

import { Readable } from 'node:stream';
import type { FoundObject, SearchResponse } from '@cadastre/proto/search';
import { isPersonal } from '@cadastre/rpsl';
import type { OpenResult } from '@cadastre/searches';
import type { FastifyReply } from 'fastify';
import type { Context } from '../context.js';
import type { SearchParameters } from '../documents/whois-resources.js';
import { clientLeft, HttpError, httpErrorOf } from '../errors.js';
import { chargeReads, checkCosts } from '../limits/exceeded.js';
import { countIfPersonal } from '../limits/personal-objects.js';
import { readContent, whoisResources } from '../openapi/content.js';
import { responseHeaders } from '../openapi/response-headers.js';
import { isSmall } from '../reply/renderer.js';
import { clientGone, endWhenStalled } from '../reply/reply-end.js';
import type { RouteReply } from '../reply/send.js';
import { canonicalUrlOf } from '../request-context.js';
import { messages } from '../ripe-messages.js';
import type { PathParameters, Resource, Route, RouteRequest } from '../route.js';
import { ofThePast } from './as-of.js';
import { type Question, searchQuery, searchRequest } from './search-request.js';

type SearchedRequest = RouteRequest<PathParameters, typeof searchQuery>;

/** GET of the objects that a query finds. */
const objectSearch: Route<PathParameters, typeof searchQuery> = {
  id: 'searchObjects',
  tag: 'Search',
  summary: 'Search for objects',
  doc: 'Returns the objects that match a query, and the objects that they refer to, as a stream. A search that fails after its first objects still has the status 200; its document ends with `errormessages`, or in text with comment lines (`%`). The registry limits how many objects one search returns and skips (ERROR:112). With a `limit`, a response before the end of the result has a `Link` to the next objects; the last page may be empty.',
  query: searchQuery,
  headers: [
    {
      name: 'CADASTRE-Serial',
      doc: 'Waits until the index contains the write with this serial.',
      schema: responseHeaders['CADASTRE-Serial'],
    },
  ],
  success: {
    doc: 'The objects.',
    content: readContent(whoisResources('objects')),
    headers: ['CADASTRE-Serial', 'CADASTRE-Compared', 'Link'],
  },
  refusals: { 404: 'The search found nothing.', 410: 'The registry has no history from that time.' },
  credentials: 'optional',
  showsObjects: true,
  handler: search,
};

export const searchResource: Resource = { name: 'search', url: '/search', load: 'search', GET: objectSearch };

/** The first page decides the status; the rest follows as the client reads. */
async function search(context: Context, request: SearchedRequest, reply: FastifyReply): Promise<RouteReply> {
  const { query, base, limitedClient } = request;
  const view = { base, unformatted: query.unformatted };
  const question = searchRequest(query, request.headers);
  const max = limitedClient.limits['search-objects'];
  if (question.offset > max) throw new HttpError(400, messages.offsetTooLarge(max));
  const gone = clientGone(reply);
  const result = await begin(context, request, question, gone);
  const start = await affordable(context, request, result.first.objects, max);
  if (start.refusal && start.objects.length === 0) throw start.refusal;
  const { serial, compared } = result.first;
  const hasEnd = compared !== undefined || (question.limit !== undefined && question.limit <= max);
  const isPart = hasEnd && start.refusal === undefined;
  const headers = {
    ...(serial > 0n && { 'cadastre-serial': String(serial) }),
    ...(compared !== undefined && { 'cadastre-compared': String(compared) }),
    ...(isPart && result.next && { link: `<${nextLink(request, result.next)}>; rel="next"` }),
  };
  if (request.method === 'HEAD') return { status: 200, headers, content: Readable.from([]) };
  const document = {
    format: request.format,
    head: { service: 'search', parameters: echo(question, query.client, result.first), listsObjects: true },
    tail: { terms: context.settings.termsUrl, version: context.version },
    view,
  };
  const asking = { client: limitedClient, gone: () => gone };
  const messagesOf = (error: unknown) => brokenOff(context, request, error, gone);
  if (result.rest === undefined && isSmall(start.objects)) {
    const { contacts, messages: found } = result.first;
    const list = { ...document, objects: start.objects, contacts };
    const all = start.refusal === undefined ? found : [...found, ...messagesOf(start.refusal)];
    const body = await context.renderer.document({ ...list, messages: all }, asking);
    return { status: 200, headers, content: body, entityTag: false };
  }
  endWhenStalled(request.raw, context.settings.stallTimeout);
  const pages = pagesOf(context, request, result, start, max);
  return { status: 200, headers, content: context.renderer.search({ ...document, messagesOf }, pages, asking) };
}

/** The URL of the search for the objects that follow. */
function nextLink(request: SearchedRequest, { start, offset }: NonNullable<OpenResult['next']>): string {
  const url = new URL(request.link);
  const { extension } = canonicalUrlOf(request);
  if (extension !== undefined) url.pathname += `.${extension}`;
  url.searchParams.set('cursor', Buffer.from(start!).toString('base64url'));
  url.searchParams.delete('offset');
  if (offset > 0) url.searchParams.set('offset', String(offset));
  return url.href;
}

async function begin(
  context: Context,
  { id: requestId, limitedClient }: SearchedRequest,
  { limit = Number.POSITIVE_INFINITY, ...question }: Question,
  signal: AbortSignal,
) {
  // One more than the client may see, to find out whether there are more.
  const max = Math.min(limit, limitedClient.limits['search-objects'] + 1);
  const requested = {
    ...question,
    limit: Number.isFinite(max) ? max : undefined,
    client: limitedClient.id,
    brief: true,
  };
  const onProcessing = chargeReads(context, limitedClient);
  try {
    const result = context.openSearch(requested, { signal, requestId, onProcessing });
    return await ofThePast(requested.asOf, result);
  } catch (error) {
    throw signal.aborted ? clientLeft() : error;
  }
}

/** The objects of a page up to the first one that exceeds a limit. */
interface Affordable {
  readonly objects: FoundObject[];
  readonly refusal?: HttpError;
}

async function affordable(
  context: Context,
  request: SearchedRequest,
  objects: FoundObject[],
  left: number,
): Promise<Affordable> {
  for (const [index, { object }] of objects.entries()) {
    if (index >= left) return { objects: objects.slice(0, index), refusal: tooLarge(context, request) };
    // Most objects are not personal, and a promise for each costs more than rendering it.
    if (object === undefined || !isPersonal(object, context.settings.source)) continue;
    const refusal = await countIfPersonal(context, request, object);
    if (refusal) return { objects: objects.slice(0, index), refusal };
  }
  return { objects };
}

function tooLarge({ metrics }: Context, { limitedClient }: SearchedRequest): HttpError {
  metrics.limited('search-objects');
  return new HttpError(400, messages.resultTooLarge(limitedClient.limits['search-objects']));
}

/** Charges for a page of a stream. Throws an HttpError (429) when the client has reached its limit. */
function chargePage(context: Context, { limitedClient }: SearchedRequest, objects: readonly FoundObject[]): void {
  let characters = 0;
  for (const { object } of objects) characters += object?.text.length ?? 0;
  context.limiter.charge(limitedClient, 'bytes', characters);
  checkCosts(context, limitedClient);
}

/** The pages up to the first object that exceeds a limit, which ends the result with an error (decision R17). */
async function* pagesOf(
  context: Context,
  request: SearchedRequest,
  { first, rest }: OpenResult,
  start: Affordable,
  max: number,
): AsyncGenerator<SearchResponse> {
  let left = max - start.objects.length;
  yield { ...first, objects: start.objects };
  if (start.refusal) throw start.refusal;
  chargePage(context, request, start.objects);
  for await (const page of rest ?? []) {
    const { objects, refusal } = await affordable(context, request, page.objects, left);
    left -= objects.length;
    yield { ...page, objects };
    if (refusal) throw refusal;
    chargePage(context, request, objects);
  }
}

/** The parameters of the request, with flags by their long names. */
function echo(question: Question, client: string, { flags }: SearchResponse): SearchParameters {
  const { inverseAttributes, types, query, sources } = question;
  return { inverseAttributes, ...(client === '' ? {} : { client }), types, flags, queries: [query], sources };
}

function brokenOff({ logger }: Context, { id: requestId }: SearchedRequest, error: unknown, gone: AbortSignal) {
  if (gone.aborted) return [];
  if (!(error instanceof HttpError)) logger.warn({ requestId, err: error }, 'search aborted');
  return httpErrorOf(error).messages;
}
