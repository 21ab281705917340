import type { ObjectName } from '../paths.js';
import { type Message, readMessages } from './message.js';
import { optional, readObjects, type ShownObject } from './objects.js';
import { isNotFound, registry, wholeAnswerOf } from './registry.js';
import { findRoaStates, type RoaState, routeText } from './roa-states.js';

/** An object with its abuse contact; a route with its conflict with ROAs. */
export interface CheckedObject {
  readonly object: ShownObject;
  readonly conflicts: readonly Message[];
  /** Whether no ROA covers it; false while that is unknown. */
  readonly lacksRoa: boolean;
}

/** Some objects of a mntner. */
export interface CheckedPage {
  readonly objects: readonly CheckedObject[];
  /** Where the next page begins; empty after the last one. */
  readonly next: string;
}

/** Objects of a page. */
const pageSize = 500;

/** Reads a page of what a mntner maintains. Throws a RequestFailed. */
export async function checkObjects(
  { source, key }: ObjectName,
  types: readonly string[],
  cursor: string,
  signal?: AbortSignal,
): Promise<CheckedPage> {
  const query = {
    'query-string': key,
    'inverse-attribute': ['mnt-by'],
    source: [source],
    'type-filter': [...types],
    flags: ['no-referenced'],
    'abuse-contact': true,
    'roa-check': true,
    limit: pageSize,
    ...(cursor && { cursor }),
  };
  try {
    const { data, headers } = await wholeAnswerOf(registry.GET('/search', { params: { query }, ...optional(signal) }));
    const sent = data.objects?.object ?? [];
    const shown = readObjects(data);
    const states = await roaStatesOf(shown, signal);
    const objects = shown.map((object, at) => ({
      object,
      conflicts: readMessages(sent[at]?.objectmessages?.objectmessage),
      lacksRoa: states.get(routeText(...routeOf(object.name))) === 'not-found',
    }));
    return { objects, next: cursorOf(headers) };
  } catch (error) {
    if (isNotFound(error)) return { objects: [], next: '' };
    throw error;
  }
}

/** The states of the routes among some objects, by `routeText`; empty while they are unavailable. */
async function roaStatesOf(
  objects: readonly ShownObject[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, RoaState>> {
  const prefixes = new Set(objects.map(({ name }) => routeOf(name)[0]).filter((prefix) => prefix !== ''));
  return prefixes.size === 0 ? new Map() : findRoaStates([...prefixes], signal).catch(() => new Map());
}

/** Prefix and origin of a route; empty for other objects. */
function routeOf({ type, key }: ObjectName): [prefix: string, origin: string] {
  const [, prefix = '', origin = ''] = /^route6?$/.test(type) ? (/^(.*)(AS\d+)$/i.exec(key) ?? []) : [];
  return [prefix, origin];
}

/** The cursor in the `Link` to the next page; empty without one. */
function cursorOf(headers: Headers): string {
  const [, url] = /<([^>]*)>;\s*rel="next"/.exec(headers.get('link') ?? '') ?? [];
  return url === undefined ? '' : (new URL(url).searchParams.get('cursor') ?? '');
}
