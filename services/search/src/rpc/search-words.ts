import {
  type SearchServiceService,
  type SearchWordsRequest,
  type WordMatch,
  WordsCursor,
} from '@cadastre/proto/search';
import { queryMessages, readSources, readTypes } from '@cadastre/query';
import { asciiLowerCase, isObjectTypeName, type ObjectTypeName, objectTypeNames } from '@cadastre/rpsl';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { maximalPage, maxWords, type WordPosition, type WordQuery } from '../index-port.js';
import { type Found, readEach } from '../run/found.js';
import { routeRules } from '../run/route-rules.js';
import { foldName, matchedAttributes, nameOf, splitWords, wordsOf } from '../words.js';
import { namedObject } from './found-objects.js';
import { indexMissing } from './sources.js';
import { turnsOf } from './turns.js';

/** Of equally good objects, those about holders come first. */
const holders: readonly ObjectTypeName[] = ['organisation', 'mntner', 'aut-num', 'inetnum', 'inet6num'];
const bestFirst = [...new Set([...holders, ...objectTypeNames])];

const maxQueryLength = 1000;

/** Finds the objects with given words, in one source, and counts them by type. */
export function searchWords(context: Context): Handlers<typeof SearchServiceService>['searchWords'] {
  return async (request, call) => {
    const { store, query } = readRequest(request, context);
    const turns = turnsOf(context, request, call);
    const { leavesOut } = routeRules(context, 'objects');
    const match = matchOf(query);
    const shown = (one: Found) => (leavesOut(one) ? undefined : match(one));
    const matches = await turns.read(async () => {
      const page = await context.index.searchWords(store, query, call.signal);
      return page && { ...page, found: await readEach(page.pages, shown) };
    });
    if (matches === undefined) throw indexMissing();
    const { counts, isPartial, serial, next } = matches;
    return {
      found: matches.found,
      counts: objectTypeNames
        .map((type) => ({ type, objects: BigInt(counts.get(type) ?? 0) }))
        .filter(({ objects }) => objects > 0n),
      isPartial,
      serial,
      processingMs: turns.takeSpentMs(),
      cursor: next === undefined ? Buffer.alloc(0) : Buffer.from(WordsCursor.encode(next).finish()),
    };
  };
}

/** Errors: ServiceError 'invalid'. */
function readRequest(
  { query: text, source, types, limit, cursor }: SearchWordsRequest,
  context: Context,
): { store: string; query: WordQuery } {
  if (text.trim() === '') throw new ServiceError('invalid', [queryMessages.emptyQuery()]);
  if (text.length > maxQueryLength) throw new ServiceError('invalid', [queryMessages.tooLong(maxQueryLength)]);
  const sources = readSources(source === '' ? [] : [source], context.sources);
  if (!sources.ok) throw new ServiceError('invalid', sources.messages);
  const requested = readTypes(types);
  if (!requested.ok) throw new ServiceError('invalid', requested.messages);
  const words = [...new Set(splitWords(text))];
  if (words.length > maxWords) throw new ServiceError('invalid', [queryMessages.tooManyWordsToFind(maxWords)]);
  const query = {
    words,
    key: asciiLowerCase(text.trim()),
    name: foldName(text),
    types: bestFirst.filter((type) => requested.value.size === 0 || requested.value.has(type)),
    limit: Math.min(limit, maximalPage),
  };
  return {
    store: sources.value[0]!.store,
    query: cursor.length === 0 ? query : { ...query, after: positionOf(cursor, query.types) },
  };
}

/** Clients may send an invented cursor. */
function positionOf(cursor: Uint8Array, types: readonly ObjectTypeName[]): WordPosition {
  try {
    const { rank, type, key } = WordsCursor.decode(cursor);
    if (!isObjectTypeName(type) || !types.includes(type)) throw new RangeError('no such type');
    return { rank: Math.min(rank, 0xff), type, key };
  } catch (cause) {
    throw new ServiceError('invalid', [queryMessages.invalidCursor()], { cause });
  }
}

/**
 * The match in the form of the contract; none for an object that the index found by a collision of hashes (ADR 0077).
 */
function matchOf({ words, key, name }: WordQuery): (one: Found) => WordMatch | undefined {
  const wanted = new Set(words);
  return (one) => {
    const { stored, object } = one;
    const has = wordsOf(object);
    const isMatch = stored.key === key || nameOf(object) === name || words.every((word) => has.has(word));
    return isMatch ? { object: namedObject(one), matches: matchedAttributes(object, wanted) } : undefined;
  };
}
