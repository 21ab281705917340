import { randomUUID } from 'node:crypto';
import type { LimitedClient } from '@cadastre/limits';
import { LookupStatus } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import type { SearchRequest, SearchResponse } from '@cadastre/proto/search';
import {
  attributeType,
  firstValueOf,
  isNonAuthoritative,
  isPersonal,
  nonAuthoritativeName,
  type ObjectTypeName,
  objectType,
  objectTypeNames,
  parseObject,
  parseResource,
  prefixLength,
} from '@cadastre/rpsl';
import type { OpenResult } from '@cadastre/searches';
import { ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import type { Answer, Connection, ConnectionState } from '../dialect.js';
import { untilAllowed } from '../limits.js';
import { data, failure, notFound } from './answers.js';
import type { Command } from './command.js';

/** Types whose objects are not shown here: they count against limits, and no program that makes filters needs them. */
const personalTypes: readonly ObjectTypeName[] = ['person', 'role'];

/** `!mCLASS,KEY`: one object, from the first of the sources that has it. Classes have long or short names. */
export function objectByKey(context: Context): Command {
  const { limiter } = context;
  return async (argument, state, { client, signal }) => {
    const comma = argument.indexOf(',');
    if (comma < 0) return { body: failure(`Invalid argument for object lookup: ${argument}`), state };
    const type = typeNamed(argument.slice(0, comma).trim());
    if (type === undefined || personalTypes.includes(type)) return { body: notFound, state };
    const key = spelledKey(type, argument.slice(comma + 1).trim());
    const limited = limiter.clients.atAddress(client);
    await untilAllowed(limiter, limited, ['queries'], signal);
    const object = await firstFound(context, state.irrd.sources, type, key, signal);
    limiter.charge(limited, 'bytes', object?.text.length ?? 0);
    return { body: object === undefined ? notFound : data(textOf(object)), state };
  };
}

function typeNamed(name: string): ObjectTypeName | undefined {
  return objectType(attributeType(name)?.name ?? name.toLowerCase())?.name;
}

/** The origin of a route may follow its prefix after a space or a hyphen. */
function spelledKey(type: ObjectTypeName, key: string): string {
  return type === 'route' || type === 'route6' ? key.replace(/[\s-]+(?=as\d+$)/i, '') : key;
}

async function firstFound(
  context: Context,
  names: readonly string[],
  type: ObjectTypeName,
  key: string,
  signal: AbortSignal,
): Promise<RegistryObject | undefined> {
  const {
    sources: { main },
    backends,
  } = context;
  const storeOf = (name: string) => (name === nonAuthoritativeName(main) ? main : name);
  const asked = names.map((name) => ({ key: { source: storeOf(name), type, key }, view: View.VIEW_FILTERED }));
  const lookups = asked.map((lookup) => ({ ...lookup, withContacts: false }));
  const { answers } = await backends.reader.batchLookup({ lookups }, { signal });
  for (const [at, { status, object }] of answers.entries()) {
    if (status === LookupStatus.LOOKUP_STATUS_ASK_AGAIN) {
      return firstFound(context, names.slice(at), type, key, signal);
    }
    if (status === LookupStatus.LOOKUP_STATUS_UNREADABLE) throw new Error(`${type} ${key} cannot be read`);
    if (object !== undefined && isOf(object, names[at]!, main)) return object;
  }
  return undefined;
}

/** Whether an object belongs to a source, or to the part of the main one that a name means. */
function isOf({ source, text }: RegistryObject, name: string, main: string): boolean {
  if (source !== main) return true;
  const parsed = parseObject(text);
  return parsed.ok && isNonAuthoritative(parsed.object, main) === (name === nonAuthoritativeName(main));
}

/** `!oMNT`: the objects with a mntner in `mnt-by`, also when there is no such mntner. */
export function objectsByMaintainer(context: Context): Command {
  const types = objectTypeNames.filter((name) => !personalTypes.includes(name));
  return async (mntner, state, connection) => {
    const question = {
      query: mntner,
      types,
      inverseAttributes: ['mnt-by'],
      flags: ['no-referenced', 'no-grouping'],
      dangling: true,
    };
    return shown(await found(context, question, state, connection), state);
  };
}

const modes: Readonly<Record<string, string>> = {
  '': 'exact',
  o: 'exact',
  l: 'one-less',
  L: 'all-less',
  M: 'all-more',
};

/** `!rPREFIX`: routes with a prefix, or around it (`,l`, `,L`, `,M`); `,o`: only their origins. */
export function routes(context: Context): Command {
  return async (argument, state, connection) => {
    const [address = '', option = '', ...more] = argument.split(',').map((part) => part.trim());
    const range = parseResource(address);
    if (range === undefined || 'as' in range || prefixLength(range) === undefined || more.length > 0) {
      return { body: failure(`Invalid input for route search: ${argument}`), state };
    }
    const mode = Object.hasOwn(modes, option) ? modes[option] : undefined;
    if (mode === undefined) return { body: failure(`Invalid route search option: ${option}`), state };
    const question = {
      query: address,
      types: ['route', 'route6'],
      inverseAttributes: [],
      flags: [mode, 'no-referenced', 'no-grouping'],
    };
    if (context.filtersInvalid && !state.irrd.showsInvalid && context.roa.current() === undefined)
      throw new Error('No ROAs have been read yet');
    const all = await found(context, question, state, connection);
    const objects = state.irrd.showsInvalid ? all : all.filter((one) => !isInvalid(context, one));
    return option === 'o' ? { body: data(originsOf(objects).join(' ')), state } : shown(objects, state);
  };
}

/** Whether ROAs make a route invalid. */
function isInvalid({ roa }: Context, { text }: RegistryObject): boolean {
  const parsed = parseObject(text);
  if (!parsed.ok) return false;
  const prefix = firstValueOf(parsed.object, parsed.object.type) ?? '';
  return roa.validateRoute(prefix, firstValueOf(parsed.object, 'origin') ?? '') === 'invalid';
}

function originsOf(objects: readonly RegistryObject[]): string[] {
  const origins = objects.flatMap(({ text }) => {
    const parsed = parseObject(text);
    return (parsed.ok && firstValueOf(parsed.object, 'origin')?.toUpperCase()) || [];
  });
  return [...new Set(origins)];
}

type Question = Pick<SearchRequest, 'query' | 'types' | 'inverseAttributes' | 'flags' | 'dangling'>;

/** More text is no answer that a program waits for. */
const mostCharacters = 16 * 1024 * 1024;

/**
 * Everything that a search finds, as one of the searches of the client. Throws when it is too much, when a source cannot
 * be searched, and when there are too many searches.
 */
async function found(
  context: Context,
  question: Question,
  state: ConnectionState,
  connection: Connection,
): Promise<RegistryObject[]> {
  const { limiter, searches } = context;
  const client = limiter.clients.atAddress(connection.client);
  await untilAllowed(limiter, client, ['queries', 'searches'], connection.signal);
  if (limiter.takePlace(client, concurrent) !== undefined) throw new Error('Too many searches of a client');
  try {
    if (!searches.take()) throw new Error('Too many searches');
    try {
      return await allFound(context, client, question, state, connection.signal);
    } finally {
      searches.leave();
    }
  } finally {
    limiter.endPlace(client, concurrent);
  }
}

const concurrent = ['concurrent-searches'] as const;

async function allFound(
  { openSearch, limiter }: Context,
  client: LimitedClient,
  question: Question,
  { irrd }: ConnectionState,
  signal: AbortSignal,
): Promise<RegistryObject[]> {
  const request = {
    ...question,
    sources: [...irrd.sources],
    includeTags: [],
    excludeTags: [],
    offset: 0,
    minSerial: 0n,
    client: client.id,
    brief: true,
  };
  const objects: RegistryObject[] = [];
  let characters = 0;
  const onProcessing = (ms: number) => limiter.charge(client, 'processing', ms);
  try {
    const { first, rest } = await openSearch(request, { signal, requestId: randomUUID(), onProcessing });
    for await (const page of allPages(first, rest)) {
      if (page.messages.length > 0) throw new Error('A source cannot be searched');
      for (const { object } of page.objects) {
        if (object === undefined || isPersonal(object)) continue;
        objects.push(object);
        characters += object.text.length;
        if (characters > mostCharacters) throw new Error(`The answer has more than ${mostCharacters} characters`);
      }
    }
  } catch (error) {
    if (error instanceof ServiceError && (error.kind === 'not-found' || error.kind === 'invalid')) return [];
    throw error;
  } finally {
    limiter.charge(client, 'bytes', characters);
  }
  return objects;
}

async function* allPages(first: SearchResponse, rest: OpenResult['rest']): AsyncGenerator<SearchResponse> {
  yield first;
  if (rest !== undefined) yield* rest;
}

function shown(objects: readonly RegistryObject[], state: ConnectionState): Answer {
  return { body: data(objects.map(textOf).join('\n\n')), state };
}

/** Without its last line end. */
function textOf({ text }: RegistryObject): string {
  return text.replace(/\n+$/, '');
}
