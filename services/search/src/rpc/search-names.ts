import type { RegistryObject } from '@cadastre/proto/registry';
import { NamesCursor, type SearchNamesRequest, type SearchServiceService } from '@cadastre/proto/search';
import { type Outcome, ok, queryMessages, readSources, readTypes, refused } from '@cadastre/query';
import { asciiLowerCase, isObjectTypeName, objectTypeNames } from '@cadastre/rpsl';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import {
  maximalBytes,
  maximalPage,
  type NameMatches,
  type NamePattern,
  type NamePosition,
  type NameQuery,
} from '../index-port.js';
import { type Found, found } from '../run/found.js';
import { foldName, nameOf, personNameOf } from '../words.js';
import { shownObject } from './found-objects.js';
import { indexMissing } from './sources.js';
import { turnsOf } from './turns.js';

/** Finds the objects whose name or key matches a pattern, in one source. */
export function searchNames(context: Context): Handlers<typeof SearchServiceService>['searchNames'] {
  return async (request, call) => {
    const { store, query } = readRequest(request, context);
    const turns = turnsOf(context, request, call);
    const page = await turns.read(async () => {
      const matches = await context.index.searchNames(store, query, call.signal);
      return matches && { serial: matches.serial, ...(await readPage(matches, query.field, request.unfiltered)) };
    });
    if (page === undefined) throw indexMissing();
    const { objects, next, serial } = page;
    const total = request.withTotal
      ? await turns.read(() => context.index.countNames(store, query, call.signal))
      : undefined;
    return {
      objects,
      cursor: next === undefined ? Buffer.alloc(0) : Buffer.from(NamesCursor.encode(next).finish()),
      serial,
      processingMs: turns.takeSpentMs(),
      ...(total !== undefined && { total: BigInt(total) }),
    };
  };
}

/** Errors: ServiceError 'invalid'. */
function readRequest(
  { source, types, ofKeys, pattern, limit, cursor }: SearchNamesRequest,
  context: Context,
): { store: string; query: NameQuery } {
  const field = ofKeys ? 'key' : 'name';
  const requested = readPattern(pattern, field);
  if (!requested.ok) throw new ServiceError('invalid', requested.messages);
  const sources = readSources(source === '' ? [] : [source], context.sources);
  if (!sources.ok) throw new ServiceError('invalid', sources.messages);
  const named = readTypes(types);
  if (!named.ok) throw new ServiceError('invalid', named.messages);
  const query = {
    field,
    pattern: requested.value,
    types: named.value.size === 0 ? objectTypeNames : [...named.value],
    limit: Math.min(Math.max(limit, 1), maximalPage),
  } as const;
  const after = positionOf(cursor);
  return { store: sources.value[0]!.store, query: after === undefined ? query : { ...query, after } };
}

/** Undefined for an empty cursor. Clients may send an invented one. */
function positionOf(cursor: Uint8Array): NamePosition | undefined {
  if (cursor.length === 0) return undefined;
  try {
    const { text, key, type } = NamesCursor.decode(cursor);
    if (!isObjectTypeName(type)) throw new RangeError('no such type');
    // No text of an object has this character.
    if (`${text}${key}`.includes('\0')) throw new RangeError('no such text');
    return { text, key, type };
  } catch (cause) {
    throw new ServiceError('invalid', [queryMessages.invalidCursor()], { cause });
  }
}

/** The objects that together have `maximalBytes` of text, and where the result continues. */
async function readPage(
  { pages, next }: NameMatches,
  field: NameQuery['field'],
  unfiltered: boolean,
): Promise<{ objects: RegistryObject[]; next: NamePosition | undefined }> {
  const objects: RegistryObject[] = [];
  let characters = 0;
  let last: Found | undefined;
  for await (const page of pages) {
    for (const stored of page) {
      const one = found(stored);
      if (one === undefined) continue;
      characters += stored.text.length;
      if (last !== undefined && characters > maximalBytes) return { objects, next: positionAt(last, field) };
      objects.push(shownObject(one, new Map(), unfiltered));
      last = one;
    }
  }
  return { objects, next };
}

function positionAt({ stored: { key, type }, object }: Found, field: NameQuery['field']): NamePosition {
  return { text: field === 'key' ? key : (nameOf(object) ?? personNameOf(object))!, key, type };
}

const maxPatternLength = 200;
const minPrefixLength = 2;
const maxRuns = 2;

/** A pattern of names or keys in folded form; the bounds are those of `SearchNamesRequest`. */
function readPattern(text: string, field: NameQuery['field']): Outcome<NamePattern> {
  if (text.length > maxPatternLength) return refused(queryMessages.tooLong(maxPatternLength));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  const plain = text.replace(/[\s\x00-\x1f\x7f]+/g, ' ').trim();
  if (plain === '') return refused(queryMessages.emptyQuery());
  const folded = field === 'name' ? foldName(plain) : asciiLowerCase(plain);
  const prefix = /^[^*?]*/.exec(folded)![0];
  if (prefix !== folded && prefix.length < minPrefixLength) return refused(queryMessages.shortPattern(minPrefixLength));
  if (folded.split('*').length - 1 > maxRuns) return refused(queryMessages.tooManyWildcards(maxRuns));
  return ok({ prefix, text: folded });
}
