import type { ObjectName } from '../paths.js';
import type { ShownObject } from './objects.js';
import { findRoaStates, type RoaState } from './roa-states.js';
import { type Query, search } from './search.js';

/** An object with its abuse contact; a route with its conflict with ROAs. */
export interface CheckedObject {
  readonly object: ShownObject;
  /** Whether no ROA covers it; false while that is unknown. */
  readonly lacksRoa: boolean;
}

/** Some objects of a mntner. */
export interface CheckedPage {
  readonly objects: readonly CheckedObject[];
  /** Where the next page begins; empty after the last one. */
  readonly next: string;
}

const pageSize = 500;

/** Reads a page of what a mntner maintains. Throws a RequestFailed. */
export async function checkObjects(
  { source, key }: ObjectName,
  types: readonly string[],
  cursor: string,
  signal?: AbortSignal,
): Promise<CheckedPage> {
  const query: Query = {
    text: key,
    sources: [source],
    types,
    inverse: ['mnt-by'],
    flags: ['no-referenced'],
    limit: pageSize,
    cursor,
    annotations: ['abuse-contact', 'roa-check'],
  };
  const { objects, next } = await search(query, signal);
  const states = await roaStatesOf(objects, signal);
  return {
    objects: objects.map((object) => ({
      object,
      lacksRoa: states.get(object.name.key.toLowerCase()) === 'not-found',
    })),
    next: next?.cursor ?? '',
  };
}

/** The states of the routes among some objects, by their keys in lower case; empty while they are unavailable. */
async function roaStatesOf(
  objects: readonly ShownObject[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, RoaState>> {
  const routes = objects.filter(({ name }) => /^route6?$/.test(name.type));
  const prefixes = new Set(routes.map(({ name }) => name.key.replace(/AS\d+$/i, '')));
  return prefixes.size === 0 ? new Map() : findRoaStates([...prefixes], signal).catch(() => new Map());
}
