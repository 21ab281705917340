import { randomUUID } from 'node:crypto';
import type { LimitedClient } from '@cadastre/limits';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import type { SearchRequest, SearchResponse } from '@cadastre/proto/search';
import { sourceNames } from '@cadastre/query';
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
import type { Context, IrrdContext } from '../context.js';
import type { Answer, Connection, ConnectionState } from '../dialect.js';
import { untilAllowed } from '../limits.js';
import { data, failure, notFound } from './answers.js';
import type { Command, SetParts } from './command.js';
import { createTextAnswer, type TextAnswer } from './text-answer.js';

/**
 * Types whose objects IRRd-style commands do not show: they count against limits, and programs that make filters do not
 * need them.
 */
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
    const object = await firstFound(context, sourceNames(state.irrd.sources, context.sources), type, key, signal);
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
  { sources: { main }, lookUp }: Context,
  names: readonly string[],
  type: ObjectTypeName,
  key: string,
  signal: AbortSignal,
): Promise<RegistryObject | undefined> {
  for (const name of names) {
    const source = name === nonAuthoritativeName(main) ? main : name;
    const requested = { key: { source, type, key }, view: View.VIEW_FILTERED, withContacts: false };
    const { object } = await lookUp(requested, signal);
    if (object !== undefined && isOf(object, name, main)) return object;
  }
  return undefined;
}

/** Whether an object belongs to a source, or to the part of the main one with that name. */
function isOf({ source, text }: RegistryObject, name: string, main: string): boolean {
  if (source !== main) return true;
  const parsed = parseObject(text);
  return parsed.ok && isNonAuthoritative(parsed.object, main) === (name === nonAuthoritativeName(main));
}

/** `!oMNT`: the objects with a mntner in `mnt-by`, even if that mntner does not exist. */
export function objectsByMaintainer(context: Context, parts: SetParts): Command {
  const types = objectTypeNames.filter((name) => !personalTypes.includes(name));
  return async (mntner, state, connection) => {
    const question = {
      query: mntner,
      types,
      inverseAttributes: ['mnt-by'],
      flags: ['no-referenced', 'no-grouping'],
      dangling: true,
    };
    const answer = createTextAnswer(parts, connection, '\n\n');
    return { body: await found(context, question, state, connection, answer, (page) => page.map(textOf)), state };
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
export function routes(context: IrrdContext, parts: SetParts): Command {
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
    const visible = (page: readonly RegistryObject[]) =>
      state.irrd.showsInvalid ? page : page.filter((one) => !isInvalid(context, one));
    const origins = new Set<string>();
    const newOrigins = (page: readonly RegistryObject[]) =>
      visible(page).flatMap((object) => {
        const origin = originOf(object);
        if (origin === undefined || origins.has(origin)) return [];
        origins.add(origin);
        return [origin];
      });
    const [between, textsOf] =
      option === 'o' ? [' ', newOrigins] : ['\n\n', (page: readonly RegistryObject[]) => visible(page).map(textOf)];
    const answer = createTextAnswer(parts, connection, between);
    return { body: await found(context, question, state, connection, answer, textsOf), state };
  };
}

/** Whether ROAs make a route invalid. */
function isInvalid({ roa }: IrrdContext, { text }: RegistryObject): boolean {
  const parsed = parseObject(text);
  if (!parsed.ok) return false;
  const prefix = firstValueOf(parsed.object, parsed.object.type) ?? '';
  return roa.validateRoute(prefix, firstValueOf(parsed.object, 'origin') ?? '') === 'invalid';
}

function originOf({ text }: RegistryObject): string | undefined {
  const parsed = parseObject(text);
  return parsed.ok ? firstValueOf(parsed.object, 'origin')?.toUpperCase() : undefined;
}

type Question = Pick<SearchRequest, 'query' | 'types' | 'inverseAttributes' | 'flags' | 'dangling'>;

/**
 * The answer with everything that a search finds, as one of the searches of the client. Throws when it is too large,
 * when a source cannot be searched, and when there are too many searches.
 */
async function found(
  context: Context,
  question: Question,
  state: ConnectionState,
  connection: Connection,
  answer: TextAnswer,
  textsOf: (page: readonly RegistryObject[]) => readonly string[],
): Promise<Answer['body']> {
  const { limiter, searches } = context;
  const client = limiter.clients.atAddress(connection.client);
  await untilAllowed(limiter, client, ['queries', 'searches'], connection.signal);
  if (limiter.takePlace(client, concurrent) !== undefined) throw new Error('Too many searches of a client');
  try {
    const place = searches.take(client, connection.giveUp);
    if (place === undefined) throw new Error('Too many searches');
    try {
      const pages = pagesFound(context, client, question, state, connection.signal);
      for await (const page of pages) await answer.add(textsOf(page));
      return answer.body();
    } catch (error) {
      answer.release();
      throw error;
    } finally {
      place.leave();
    }
  } finally {
    limiter.endPlace(client, concurrent);
  }
}

const concurrent = ['concurrent-searches'] as const;

async function* pagesFound(
  { openSearch, limiter, sources }: Context,
  client: LimitedClient,
  question: Question,
  { irrd }: ConnectionState,
  signal: AbortSignal,
): AsyncGenerator<readonly RegistryObject[]> {
  const request = {
    ...question,
    sources: [...sourceNames(irrd.sources, sources)],
    includeTags: [],
    excludeTags: [],
    offset: 0,
    minSerial: 0n,
    client: client.id,
    brief: true,
  };
  const onProcessing = (ms: number) => limiter.charge(client, 'processing', ms);
  try {
    const { first, rest } = await openSearch(request, { signal, requestId: randomUUID(), onProcessing });
    for await (const { messages, objects } of allPages(first, rest)) {
      if (messages.length > 0) throw new Error('A source cannot be searched');
      const shown = objects.flatMap(({ object }) =>
        object === undefined || isPersonal(object, sources.main) ? [] : [object],
      );
      limiter.charge(
        client,
        'bytes',
        shown.reduce((sum, { text }) => sum + text.length, 0),
      );
      yield shown;
    }
  } catch (error) {
    if (error instanceof ServiceError && (error.kind === 'not-found' || error.kind === 'invalid')) return;
    throw error;
  }
}

async function* allPages(first: SearchResponse, rest: OpenResult['rest']): AsyncGenerator<SearchResponse> {
  yield first;
  if (rest !== undefined) yield* rest;
}

/** Without its last line end. */
function textOf({ text }: RegistryObject): string {
  return text.replace(/\n+$/, '');
}
