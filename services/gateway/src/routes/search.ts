import { Readable } from 'node:stream';
import type { FoundObject, SearchRequest, SearchResponse } from '@cadastre/proto/search';
import { type OpenResult, openSearch } from '../clients/open-search.js';
import type { Context } from '../context.js';
import { Refusal, refusalOf } from '../errors.js';
import type { Exchange } from '../exchange.js';
import { createWriter } from '../format/render.js';
import type { SearchParameters } from '../format/resource.js';
import { searchDocument } from '../format/search-document.js';
import { spend } from '../hooks/limit.js';
import type { TargetOf } from '../locator.js';
import { readContent, whoisResources } from '../openapi/content.js';
import { responseHeaders } from '../openapi/response-headers.js';
import type { Answer } from '../respond.js';
import type { Route } from './route.js';
import { searchQuery, searchRequest } from './search-request.js';

type SearchExchange = Exchange<TargetOf<'search'>, typeof searchQuery>;

/** GET of everything that a query finds. */
export const objectSearch: Route<'search', typeof searchQuery> = {
  id: 'searchObjects',
  tag: 'Search',
  summary: 'Search for objects',
  doc: 'Everything that a query finds, and what that refers to, as a stream. When it breaks off after its first objects the status is 200 all the same, and the document ends with `errormessages`.',
  query: searchQuery,
  headers: [
    {
      name: 'CADASTRE-Serial',
      doc: 'Waits until the index shows the write that was answered with this serial.',
      schema: responseHeaders['CADASTRE-Serial'],
    },
  ],
  success: {
    doc: 'The objects.',
    content: readContent(whoisResources('objects')),
    headers: ['CADASTRE-Serial'],
  },
  refusals: { 404: 'Nothing was found.' },
  credentials: 'optional',
  answer: search,
};

/** The first page decides the status; the rest flows as the client takes it. */
async function search(context: Context, exchange: SearchExchange): Promise<Answer> {
  const { parameters, request, base } = exchange;
  const view = { base, unformatted: parameters.unformatted };
  const question = searchRequest(parameters, request.headers);
  const gone = exchange.clientGone();
  const result = await begin(context, exchange, question, gone);
  const start = await affordable(context, exchange, result.first.objects);
  if (start.refusal && start.objects.length === 0) {
    await result.rest.return?.();
    throw start.refusal;
  }
  const { serial } = result.first;
  const headers: Record<string, string> = serial > 0n ? { 'cadastre-serial': String(serial) } : {};
  if (request.method === 'HEAD') {
    await result.rest.return?.();
    return { status: 200, headers, content: Readable.from([]) };
  }
  const document = {
    writer: createWriter(exchange.format),
    head: { service: 'search', parameters: echo(question, result.first), listsObjects: true },
    tail: { terms: context.settings.termsUrl, version: context.version },
    view,
    brokenOff: (error: unknown) => brokenOff(context, exchange, error, gone),
  };
  // The clock of a connection whose client takes nothing; the server sets it anew for the next request.
  request.raw.socket.setTimeout(context.settings.stallTimeout);
  return {
    status: 200,
    headers,
    content: Readable.from(searchDocument(document, pagesOf(context, exchange, result, start))),
  };
}

async function begin(context: Context, { request }: SearchExchange, question: SearchRequest, signal: AbortSignal) {
  const { searchDeadline: firstPageMs, streamDeadline: wholeMs } = context.settings;
  try {
    return await openSearch(context.search, question, { firstPageMs, wholeMs, signal, requestId: request.id });
  } catch (error) {
    throw signal.aborted ? clientLeft() : error;
  }
}

/** Nobody gets this answer: the status is for the log. */
function clientLeft(): Refusal {
  return new Refusal(499, []);
}

/** What a client may see of a page: all of it, or what stands before the personal object that is one too many. */
interface Affordable {
  readonly objects: FoundObject[];
  readonly refusal?: Refusal;
}

async function affordable(context: Context, exchange: SearchExchange, objects: FoundObject[]): Promise<Affordable> {
  for (const [index, { object }] of objects.entries()) {
    const refusal = object && (await spend(context, exchange, object));
    if (refusal) return { objects: objects.slice(0, index), refusal };
  }
  return { objects };
}

/** The pages as far as the client may see them; what is one too many breaks the result off (decision R17). */
async function* pagesOf(
  context: Context,
  exchange: SearchExchange,
  { first, rest }: OpenResult,
  start: Affordable,
): AsyncGenerator<SearchResponse> {
  try {
    yield { ...first, objects: start.objects };
    if (start.refusal) throw start.refusal;
    for await (const page of { [Symbol.asyncIterator]: () => rest }) {
      const { objects, refusal } = await affordable(context, exchange, page.objects);
      yield { ...page, objects };
      if (refusal) throw refusal;
    }
  } finally {
    await rest.return?.();
  }
}

/** The parameters as sent, but flags by their long names. */
function echo(question: SearchRequest, { flags }: SearchResponse): SearchParameters {
  const { inverseAttributes, types, query, sources } = question;
  return { inverseAttributes, types, flags, queries: [query], sources };
}

function brokenOff({ logger }: Context, { request }: SearchExchange, error: unknown, gone: AbortSignal) {
  if (gone.aborted) return [];
  if (!(error instanceof Refusal)) logger.warn({ requestId: request.id, err: error }, 'search broke off');
  return refusalOf(error).messages;
}
