import { randomUUID } from 'node:crypto';
import type { LimitedClient } from '@cadastre/limits';
import type { Message } from '@cadastre/proto/registry';
import type { FoundObject, SearchResponse } from '@cadastre/proto/search';
import { type LineSearch, queryMessages, sourceOf } from '@cadastre/query';
import { asciiUpperCase, isPersonal, nonAuthoritativeName } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import type { Context, Sources } from '../context.js';
import { costsExceeded } from '../limits.js';
import { denied } from './clients.js';
import { messageBlock } from './frame.js';
import { messages } from './messages.js';
import { createPageWriter } from './page-text.js';

const noAnnotations = { managedAttributes: false, resourceHolder: false, abuseContact: false, roaCheck: false };

/**
 * The answer to a search, a piece for each page. The next page is asked for when its piece is taken. Throws a
 * ServiceError.
 */
export async function* searchText(
  context: Context,
  client: LimitedClient,
  search: LineSearch,
  warnings: readonly Message[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { known, unknown, all } = sourcesOf(search, context.sources);
  let head = unknown.map((name) => messageBlock(messages.unknownSource(name))).join('');
  if (search.isConverted && search.request.inverseAttributes.length === 0)
    head = messageBlock(messages.converted()) + head;
  if (known.length === 0 && all.length > 0) {
    yield head + messageBlock(queryMessages.noEntries(all));
    return;
  }
  if (head !== '') yield head;
  const writer = createPageWriter(search, context.sources.main);
  const notFound = () => [...warnings.map(messageBlock), writer.notes()].join('');
  if (search.findsNothing) {
    yield notFound() + messageBlock(queryMessages.noEntries(all.length > 0 ? all : [context.sources.main]));
    return;
  }
  let left = client.limits['search-objects'];
  const request = requestOf(search, known, client, left);
  let isFirst = true;
  try {
    for await (const page of pagesOf(context, client, request, signal)) {
      const exceeded = isFirst ? undefined : costsExceeded(context.limiter, client);
      if (exceeded) {
        yield messageBlock(denied(exceeded));
        return;
      }
      isFirst = false;
      const { objects, refusal } = affordable(context, client, page.objects, left);
      left -= objects.length;
      const text = writer.page({ ...page, objects }) + (refusal ? messageBlock(refusal) : '');
      context.limiter.charge(client, 'bytes', text.length);
      yield text;
      if (refusal) return;
    }
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not-found') yield notFound();
    throw error;
  }
}

/** The named sources: those that are searched, and the unknown ones. No names mean the main source. */
function sourcesOf({ request, allSources }: LineSearch, sources: Sources) {
  const { main, mirrors } = sources;
  const named = request.sources.map(asciiUpperCase);
  const all = [...new Set([...(allSources ? [main, nonAuthoritativeName(main), ...mirrors] : []), ...named])];
  const known = all.filter((name) => sourceOf(name, sources) !== undefined);
  return { all, known, unknown: all.filter((name) => !known.includes(name)) };
}

function requestOf({ request }: LineSearch, sources: string[], client: LimitedClient, most: number) {
  return {
    ...request,
    sources,
    includeTags: [],
    excludeTags: [],
    annotations: { ...noAnnotations, abuseContact: true },
    // One more than may be shown, to tell whether there are more.
    ...(Number.isFinite(most) && { limit: most + 1 }),
    offset: 0,
    minSerial: 0n,
    client: client.id,
    brief: true,
  };
}

async function* pagesOf(
  { openSearch, limiter }: Context,
  client: LimitedClient,
  request: ReturnType<typeof requestOf>,
  signal: AbortSignal,
): AsyncGenerator<SearchResponse> {
  const { first, rest } = await openSearch(request, {
    ...{ signal, requestId: randomUUID() },
    onProcessing: (ms) => limiter.charge(client, 'processing', ms),
  });
  yield first;
  if (rest !== undefined) yield* rest;
}

/** The objects of a page up to the first one that exceeds a limit, and the message about that. */
function affordable({ limiter }: Context, client: LimitedClient, objects: FoundObject[], left: number) {
  for (const [index, { object }] of objects.entries()) {
    let refusal: Message | undefined;
    if (index >= left) refusal = messages.resultTooLarge(client.limits['search-objects']);
    else if (object && isPersonal(object)) {
      const exceeded = limiter.count(client, 'personal-objects');
      refusal = exceeded && denied(exceeded);
    }
    if (refusal) return { objects: objects.slice(0, index), refusal };
  }
  return { objects };
}
