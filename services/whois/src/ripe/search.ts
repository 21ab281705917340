import { randomUUID } from 'node:crypto';
import type { LimitedClient } from '@cadastre/limits';
import type { Message } from '@cadastre/proto/registry';
import { type FoundObject, InvalidRoutes, type SearchResponse } from '@cadastre/proto/search';
import { type LineSearch, queryMessages, sourceOf } from '@cadastre/query';
import { asciiUpperCase, isPersonal, nonAuthoritativeName } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import type { Context, Sources } from '../context.js';
import { costsExceeded } from '../limits.js';
import { denied } from './clients.js';
import { messageBlock } from './frame.js';
import { messages } from './messages.js';
import { createPageWriter, type PageWriter } from './page-text.js';

const noAnnotations = { managedAttributes: false, resourceHolder: false, abuseContact: false, roaCheck: false };

/**
 * The answer to a search, a piece for each page: one source after the other, in the requested order. Requests the next
 * page when the client has read the piece before. Throws a ServiceError.
 */
export async function* searchText(
  context: Context,
  client: LimitedClient,
  search: LineSearch,
  warnings: readonly Message[],
  { signal, showsInvalid }: { readonly signal: AbortSignal; readonly showsInvalid: boolean },
): AsyncGenerator<string> {
  const { limiter, sources } = context;
  const writer = createPageWriter(search, sources.main);
  const progress: Progress = { left: client.limits['search-objects'], isBegun: false, isFound: false, isOver: false };
  const parts = partsOf(search, sources);
  let noEntries: readonly Message[] = [];
  /** Messages, until a page follows. */
  let head = warnings.map(messageBlock).join('');
  if (search.isConverted && search.request.inverseAttributes.length === 0) head += messageBlock(messages.converted());
  for (const { isKnown, names } of parts) {
    if (!isKnown) {
      head += names.map((name) => messageBlock(messages.unknownSource(name))).join('');
      continue;
    }
    const searched = names.length > 0 ? names : [sources.main];
    noEntries = [queryMessages.noEntries(searched)];
    if (search.findsNothing !== undefined) {
      head += writer.notes() + search.findsNothing.map(messageBlock).join('').repeat(searched.length);
      continue;
    }
    const request = { ...requestOf(search, names, client, progress.left), ...routesOf(search, showsInvalid) };
    try {
      for await (const text of pageTexts(context, client, request, writer, progress, signal)) {
        limiter.charge(client, 'bytes', head.length + text.length);
        yield head + text;
        head = '';
      }
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== 'not-found') throw error;
      head += writer.notes();
      noEntries = error.messages;
    }
    if (progress.isOver) return;
  }
  // As in the RIPE Database, ERROR:102 replaces ERROR:101, also that about other sources.
  if (!progress.isFound && parts.every(({ isKnown }) => isKnown)) head += noEntries.map(messageBlock).join('');
  limiter.charge(client, 'bytes', head.length);
  if (head !== '') yield head;
}

/** The progress of an answer. */
interface Progress {
  /** How many objects may still be shown. */
  left: number;
  isBegun: boolean;
  /** Whether there is more than messages about omitted objects. */
  isFound: boolean;
  /** Whether the client gets no more. */
  isOver: boolean;
}

async function* pageTexts(
  context: Context,
  client: LimitedClient,
  request: ReturnType<typeof requestOf> & ReturnType<typeof routesOf>,
  writer: PageWriter,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for await (const page of pagesOf(context, client, request, signal)) {
    const exceeded = progress.isBegun ? costsExceeded(context.limiter, client) : undefined;
    if (exceeded) {
      progress.isOver = true;
      yield messageBlock(denied(exceeded));
      return;
    }
    const { objects, refusal } = affordable(context, client, page.objects, progress.left);
    progress.left -= objects.length;
    progress.isBegun = true;
    progress.isFound ||= objects.some(({ leftOut }) => !leftOut);
    progress.isOver = refusal !== undefined;
    yield writer.page({ ...page, objects }) + (refusal ? messageBlock(refusal) : '');
    if (refusal) return;
  }
}

/** Consecutive sources of a query that are all known or all unknown. No names mean the main source. */
interface Part {
  readonly isKnown: boolean;
  readonly names: string[];
}

function partsOf({ request, allSources }: LineSearch, sources: Sources): readonly Part[] {
  const { main, mirrors } = sources;
  const named = request.sources.map(asciiUpperCase);
  const all = new Set([...(allSources ? [main, nonAuthoritativeName(main), ...mirrors] : []), ...named]);
  if (all.size === 0) return [{ isKnown: true, names: [] }];
  const parts: Part[] = [];
  for (const name of all) {
    const isKnown = sourceOf(name, sources) !== undefined;
    const last = parts.at(-1);
    if (last?.isKnown === isKnown) last.names.push(name);
    else parts.push({ isKnown, names: [name] });
  }
  return parts;
}

/** Keys alone have no room for a mark: programs make filters of them. */
function routesOf({ form }: LineSearch, showsInvalid: boolean): { invalidRoutes?: InvalidRoutes } {
  if (showsInvalid) return { invalidRoutes: InvalidRoutes.INVALID_ROUTES_SHOWN };
  return form === 'keys' ? { invalidRoutes: InvalidRoutes.INVALID_ROUTES_LISTED } : {};
}

function requestOf({ request }: LineSearch, sources: string[], client: LimitedClient, max: number) {
  return {
    ...request,
    sources,
    includeTags: [],
    excludeTags: [],
    annotations: { ...noAnnotations, abuseContact: true },
    // One more than the maximum, to know whether there are more.
    ...(Number.isFinite(max) && { limit: max + 1 }),
    offset: 0,
    withLeftOut: true,
    minSerial: 0n,
    client: client.id,
    brief: true,
  };
}

async function* pagesOf(
  { openSearch, limiter }: Context,
  client: LimitedClient,
  request: ReturnType<typeof requestOf> & ReturnType<typeof routesOf>,
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
function affordable({ limiter, sources }: Context, client: LimitedClient, objects: FoundObject[], left: number) {
  for (const [index, { object, leftOut }] of objects.entries()) {
    let refusal: Message | undefined;
    if (index >= left) refusal = messages.resultTooLarge(client.limits['search-objects']);
    else if (object && !leftOut && isPersonal(object, sources.main)) {
      const exceeded = limiter.count(client, 'personal-objects');
      refusal = exceeded && denied(exceeded);
    }
    if (refusal) return { objects: objects.slice(0, index), refusal };
  }
  return { objects };
}
