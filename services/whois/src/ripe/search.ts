import { randomUUID } from 'node:crypto';
import type { LimitedClient } from '@cadastre/limits';
import type { Message } from '@cadastre/proto/registry';
import { type FoundObject, InvalidRoutes, type SearchResponse } from '@cadastre/proto/search';
import { type LineSearch, queryMessages, sourceNames, sourceOf } from '@cadastre/query';
import { attributeType, isPersonal, nonAuthoritativeName } from '@cadastre/rpsl';
import { ServiceError, startingWith } from '@cadastre/service';
import type { Context, Sources } from '../context.js';
import { costsExceeded, untilAllowed } from '../limits.js';
import { denied } from './clients.js';
import { messageBlock } from './frame.js';
import { messages } from './messages.js';
import { createPageWriter } from './page-text.js';

const noAnnotations = { managedAttributes: false, resourceHolder: false, abuseContact: false, roaCheck: false };

/** The end of an answer that has objects and lacks others. It must not look whole: programs make filters of it. */
export const cut = Symbol('the end of an incomplete answer');

/**
 * The answer to a search, a piece for each page: one source after the other, in the requested order. Requests the next
 * page when the client has read the piece before. Ends with `cut` when it is incomplete. Throws a ServiceError.
 */
export async function* searchText(
  context: Context,
  client: LimitedClient,
  search: LineSearch,
  warnings: readonly Message[],
  { signal, showsInvalid }: { readonly signal: AbortSignal; readonly showsInvalid: boolean },
): AsyncGenerator<string | typeof cut> {
  const { limiter, sources } = context;
  const writer = createPageWriter(search, sources.main);
  const progress = {
    /** How many objects may still be shown, besides those of filters. */
    left: client.limits['search-objects'],
    isBegun: false,
    /** Whether there is more than messages about omitted objects. */
    isFound: false,
    /** Whether the client gets no more. */
    isOver: false,
    /** Whether a source could not be searched. */
    lacksSource: false,
  };
  /** The text of a page, as far as the limits of the client allow. */
  const pageText = (page: SearchResponse): string => {
    const exceeded = progress.isBegun ? costsExceeded(limiter, client) : undefined;
    if (exceeded) {
      progress.isOver = true;
      return messageBlock(denied(exceeded));
    }
    const { objects, counted, refusal } = affordable(context, client, page.objects, progress.left);
    progress.left -= counted;
    progress.lacksSource ||= page.messages.some(({ text }) => text === queryMessages.notIndexed('').text);
    progress.isBegun = true;
    progress.isFound ||= objects.some(({ leftOut }) => !leftOut);
    progress.isOver = refusal !== undefined;
    return writer.page({ ...page, objects }) + (refusal ? messageBlock(refusal) : '');
  };
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
    const request = { ...requestOf(search, names, client), ...routesOf(search, showsInvalid) };
    try {
      for await (const page of await pagesOf(context, client, request, signal)) {
        if (progress.isBegun && findsOnlyFilters(request)) await untilAllowed(limiter, client, [], signal);
        const text = head + pageText(page);
        limiter.charge(client, 'bytes', text.length);
        yield text;
        head = '';
        if (progress.isOver) break;
      }
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== 'not-found') throw error;
      head += writer.notes();
      noEntries = error.messages;
    }
    if (progress.isOver) {
      if (progress.isFound) yield cut;
      return;
    }
  }
  // As in the RIPE Database, ERROR:102 replaces ERROR:101, also that about other sources.
  if (!progress.isFound && parts.every(({ isKnown }) => isKnown)) head += noEntries.map(messageBlock).join('');
  limiter.charge(client, 'bytes', head.length);
  if (head !== '') yield head;
  if (progress.lacksSource && progress.isFound) yield cut;
}

/** Consecutive sources of a query that are all known or all unknown. No names mean the main source. */
interface Part {
  readonly isKnown: boolean;
  readonly names: string[];
}

function partsOf({ request, allSources }: LineSearch, sources: Sources): readonly Part[] {
  const { main, mirrors } = sources;
  const named = sourceNames(request.sources, sources);
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

function requestOf({ request }: LineSearch, sources: string[], client: LimitedClient) {
  return {
    ...request,
    sources,
    includeTags: [],
    excludeTags: [],
    annotations: { ...noAnnotations, abuseContact: true },
    offset: 0,
    withLeftOut: true,
    minSerial: 0n,
    client: client.id,
    brief: true,
  };
}

/** The pages of one search of a client. */
export async function pagesOf(
  { openSearch, limiter }: Pick<Context, 'openSearch' | 'limiter'>,
  client: LimitedClient,
  request: Parameters<Context['openSearch']>[0],
  signal: AbortSignal,
): Promise<Iterable<SearchResponse> | AsyncIterable<SearchResponse>> {
  const { first, rest } = await openSearch(request, {
    ...{ signal, requestId: randomUUID() },
    onProcessing: (ms) => limiter.charge(client, 'processing', ms),
  });
  return rest === undefined ? [first] : startingWith(first, rest);
}

/**
 * Types of which filters are made. Only time, memory and the cost of an answer bound them: a filter from the first
 * objects would be wrong.
 */
const filterTypes: ReadonlySet<string> = new Set([
  ...['route', 'route6', 'as-set', 'route-set', 'rtr-set', 'filter-set', 'peering-set'],
]);

/** Whether a search finds objects of these types only, besides what they refer to. */
function findsOnlyFilters({ types, inverseAttributes }: LineSearch['request']): boolean {
  if (types.length > 0) return types.every((type) => filterTypes.has(type));
  return inverseAttributes.length > 0 && inverseAttributes.every((name) => attributeType(name)?.name === 'origin');
}

/** The objects of a page up to the first one that exceeds a limit, how many count, and the message about the limit. */
function affordable({ limiter, sources }: Context, client: LimitedClient, objects: FoundObject[], left: number) {
  let counted = 0;
  for (const [index, { object, leftOut }] of objects.entries()) {
    const counts = object === undefined || !filterTypes.has(object.type);
    let refusal: Message | undefined;
    if (counts && counted >= left) refusal = messages.resultTooLarge(client.limits['search-objects']);
    else if (object && !leftOut && isPersonal(object, sources.main)) {
      const exceeded = limiter.count(client, 'personal-objects');
      refusal = exceeded && denied(exceeded);
    }
    if (refusal) return { objects: objects.slice(0, index), counted, refusal };
    if (counts) counted++;
  }
  return { objects, counted };
}
