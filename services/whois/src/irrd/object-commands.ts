import type { LimitedClient } from '@cadastre/limits';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import { type FoundObject, InvalidRoutes, type SearchRequest } from '@cadastre/proto/search';
import { sourceNames } from '@cadastre/query';
import {
  type AddressRange,
  attributeType,
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
import { ServiceError } from '@cadastre/service';
import type { Context, IrrdContext } from '../context.js';
import type { Answer, Connection, ConnectionState, IrrdState } from '../dialect.js';
import { untilAllowed } from '../limits.js';
import { pagesOf } from '../ripe/search.js';
import { originsOf } from '../sets/expansion.js';
import { wordsOf } from '../sets/prefix-text.js';
import type { PrefixScope, RoaRoutes } from '../sets/roa-routes.js';
import { type Command, createTextAnswer, data, failure, notFound, type SetParts } from './answers.js';
import { routeSourcesOf } from './source-commands.js';

/**
 * Types whose objects IRRd-style commands do not show: they count against limits, and programs that make filters do not
 * need them.
 */
const personalTypes: readonly ObjectTypeName[] = ['person', 'role'];

/** `!mCLASS,KEY`: one object, from the first of the sources that has it. Classes have long or short names. */
export function objectByKey(context: IrrdContext, parts: SetParts): Command {
  const { limiter } = context;
  return async (argument, state, { client, signal }) => {
    const comma = argument.indexOf(',');
    if (comma < 0) return { body: failure(`Invalid argument for object lookup: ${argument}`), state };
    const type = typeNamed(argument.slice(0, comma).trim());
    if (type === undefined || personalTypes.includes(type)) return { body: notFound, state };
    const key = spelledKey(type, argument.slice(comma + 1).trim());
    const limited = limiter.clients.atAddress(client);
    await untilAllowed(limiter, limited, ['queries'], signal);
    const found = await firstFound(context, parts, state.irrd, type, key, signal);
    limiter.charge(limited, 'bytes', found?.object.text.length ?? 0);
    return { body: found === undefined ? notFound : data(textOf(found)), state };
  };
}

function typeNamed(name: string): ObjectTypeName | undefined {
  return objectType(attributeType(name)?.name ?? name.toLowerCase())?.name;
}

/** The origin of a route may follow its prefix after a space or a hyphen. */
function spelledKey(type: ObjectTypeName, key: string): string {
  return isRoute(type) ? key.replace(/[\s-]+(?=as\d+(?:\/ml\d+)?$)/i, '') : key;
}

function isRoute(type: ObjectTypeName): boolean {
  return type === 'route' || type === 'route6';
}

async function firstFound(
  { sources: registry, roaSource, lookUp, showRoute }: IrrdContext,
  { roaRoutes }: SetParts,
  { sources, showsInvalid }: IrrdState,
  type: ObjectTypeName,
  key: string,
  signal: AbortSignal,
): Promise<ShownObject | undefined> {
  const { main } = registry;
  for (const name of sourceNames(sources, registry)) {
    if (name === roaSource) {
      const text = routeOfRoa(roaRoutes, type, key);
      if (text !== undefined) return { object: { text }, isMarked: false };
      continue;
    }
    const source = name === nonAuthoritativeName(main) ? main : name;
    const requested = { key: { source, type, key }, view: View.VIEW_FILTERED, withContacts: false };
    const { object } = await lookUp(requested, signal);
    if (object === undefined || !isOf(object, name, main)) continue;
    const view = showsInvalid ? 'everything' : 'objects';
    const showing = isRoute(type) ? showRoute({ source: name, key: object.key }, view) : 'plain';
    if (showing !== 'left out') return { object, isMarked: showing === 'marked' };
  }
  return undefined;
}

/** The route of a ROA by its key in IRRd, such as `192.0.2.0/24AS64500/ML24`. */
function routeOfRoa(roaRoutes: RoaRoutes | undefined, type: ObjectTypeName, key: string): string | undefined {
  const [, prefix = '', origin, maxLength] = /^(.+)as(\d+)\/ml(\d+)$/i.exec(key) ?? [];
  const range = isRoute(type) ? parseResource(prefix) : undefined;
  const length = range && 'first' in range ? prefixLength(range) : undefined;
  if (range === undefined || 'as' in range || length === undefined) return undefined;
  if (range.family !== (type === 'route' ? 4 : 6)) return undefined;
  return roaRoutes?.text(range, length, Number(origin), Number(maxLength));
}

/** An object of an answer. */
interface ShownObject {
  readonly object: Pick<RegistryObject, 'text'>;
  /** Whether it is a route that ROAs make invalid, and says so. */
  readonly isMarked: boolean;
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
      sources: sourceNames(state.irrd.sources, context.sources),
    };
    return { body: await found(context, question, state, connection, parts), state };
  };
}

const modes: Readonly<Record<string, PrefixScope>> = {
  '': 'exact',
  l: 'one-less',
  L: 'all-less',
  M: 'all-more',
};

/**
 * `!rPREFIX`: routes with a prefix, or around it (`,l`, `,L`, `,M`), by a search; `,o`: only the origins of those with it.
 */
export function routes(context: IrrdContext, parts: SetParts): Command {
  return (argument, state, connection) => {
    const [address = '', option = '', ...more] = argument.split(',').map((part) => part.trim());
    const range = parseResource(address);
    const length = range && 'first' in range ? prefixLength(range) : undefined;
    if (range === undefined || 'as' in range || length === undefined || more.length > 0) {
      return { body: failure(`Invalid input for route search: ${argument}`), state };
    }
    // Without a promise: clients send very many of them in a row.
    if (option === 'o') return { body: data(originTexts(parts, state.irrd, range, length)), state };
    const mode = Object.hasOwn(modes, option) ? modes[option] : undefined;
    if (mode === undefined) return { body: failure(`Invalid route search option: ${option}`), state };
    return routesFound(context, parts, { address, range, length, mode }, state, connection);
  };
}

/** A prefix, and which routes around it to find. */
interface RouteQuestion {
  readonly address: string;
  readonly range: AddressRange;
  readonly length: number;
  readonly mode: PrefixScope;
}

async function routesFound(
  context: IrrdContext,
  parts: SetParts,
  { address, range, length, mode }: RouteQuestion,
  state: ConnectionState,
  connection: Connection,
): Promise<Answer> {
  const question = {
    query: address,
    types: ['route', 'route6'],
    inverseAttributes: [],
    flags: [mode, 'no-referenced', 'no-grouping'],
    sources: routeSourcesOf(parts.index, state.irrd),
  };
  // The search service may have them already: programs then would see another registry than in prefix lists.
  if (!state.irrd.showsInvalid) await parts.index.checkRoas();
  const ofRoas = () => parts.roaRoutes?.texts(range, length, mode) ?? [];
  return { body: await found(context, question, state, connection, parts, ofRoas), state };
}

/** The origins of a prefix. They come from the set index: programs ask for those of very many prefixes. */
function originTexts({ index }: SetParts, irrd: IrrdState, range: AddressRange, length: number): string {
  const prefix = { family: range.family, words: wordsOf(range, length) };
  return originsOf({ index, routeSources: routeSourcesOf(index, irrd) }, prefix, irrd.showsInvalid)
    .map((origin) => `AS${origin}`)
    .join(' ');
}

interface Question extends Pick<SearchRequest, 'query' | 'types' | 'inverseAttributes' | 'flags' | 'dangling'> {
  /** Names of sources, of which none is an alias. */
  readonly sources: readonly string[];
}

/**
 * The answer with everything that a search finds, then the objects made from ROAs if their source is searched, as one of
 * the searches of the client. Throws when it is too large, when a source cannot be searched, and when there are too many
 * searches.
 */
async function found(
  context: Context,
  question: Question,
  state: ConnectionState,
  connection: Connection,
  parts: SetParts,
  ofRoas: () => Iterable<readonly string[]> = () => [],
): Promise<Answer['body']> {
  const { sources: chosen } = question;
  const searched = chosen.filter((name) => name !== context.roaSource);
  const answer = createTextAnswer(parts, connection);
  const { limiter, searches } = context;
  const client = limiter.clients.atAddress(connection.client);
  await untilAllowed(limiter, client, ['queries', 'searches'], connection.signal);
  if (limiter.takeSlots(client, concurrent) !== undefined) throw new Error('Too many searches of a client');
  try {
    const slot = searches.take(client, connection.giveUp);
    if (slot === undefined) throw new Error('Too many searches');
    try {
      if (searched.length > 0) {
        const pages = pagesFound(context, client, { ...question, sources: searched }, state, connection.signal);
        for await (const page of pages) await answer.add(page.map(textOf));
      }
      for (const texts of searched.length < chosen.length ? ofRoas() : []) {
        limiter.charge(client, 'bytes', lengthOf(texts));
        await answer.add(texts);
      }
      return answer.body();
    } catch (error) {
      answer.release();
      throw error;
    } finally {
      slot.leave();
    }
  } finally {
    limiter.releaseSlots(client, concurrent);
  }
}

const concurrent = ['concurrent-searches'] as const;

async function* pagesFound(
  context: Context,
  client: LimitedClient,
  question: Question,
  { irrd }: ConnectionState,
  signal: AbortSignal,
): AsyncGenerator<readonly ShownObject[]> {
  const request = {
    ...question,
    ...(irrd.showsInvalid && { invalidRoutes: InvalidRoutes.INVALID_ROUTES_SHOWN }),
    sources: [...question.sources],
    includeTags: [],
    excludeTags: [],
    offset: 0,
    minSerial: 0n,
    client: client.id,
    brief: true,
  };
  try {
    for await (const { messages, objects } of await pagesOf(context, client, request, signal)) {
      if (messages.length > 0) throw new Error('A source cannot be searched');
      const shown = objects.flatMap((one) => shownObject(one, context.sources.main));
      context.limiter.charge(client, 'bytes', lengthOf(shown.map(({ object }) => object.text)));
      yield shown;
    }
  } catch (error) {
    if (error instanceof ServiceError && (error.kind === 'not-found' || error.kind === 'invalid')) return;
    throw error;
  }
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

function shownObject({ object, messages }: FoundObject, main: string): ShownObject[] {
  // A search without annotations has no messages about objects but those about ROAs.
  return object === undefined || isPersonal(object, main) ? [] : [{ object, isMarked: messages.length > 0 }];
}

/** Without its last line end. A marked one has the attribute by which IRRd says the state of a route. */
function textOf({ object: { text }, isMarked }: ShownObject): string {
  return `${text.replace(/\n+$/, '')}${isMarked ? '\nrpki-ov-state:  invalid' : ''}`;
}
