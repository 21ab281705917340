import type { Range } from '@cadastre/query';
import { foldKey, type ObjectTypeName, type RpslObject, valuesOf } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import { type IndexReads, maximalPage, type ObjectId, type TypedKey } from '../index-port.js';
import type { QueryPlan, RelatedTypes } from '../query/plan.js';
import { occupiedRange } from '../ranges.js';
import { type Found, found } from './found.js';
import { compare, comparePositions, positionOf, type ResultPosition } from './position.js';

/** Maximum number of related keys that a query without grouping remembers to avoid duplicates. */
const maxRemembered = 500_000;

/**
 * The objects of one source with their related ones, in the pages that `pagesOf` makes of a part: each object followed by
 * its related ones, or all related ones at the end. From the start, or after a position of the result. Holds one page of
 * objects and one read of related ones.
 */
export async function* withRelated<P>(
  index: IndexReads,
  primary: AsyncIterable<readonly Found[]>,
  { related: wanted, grouping, search }: Pick<QueryPlan, 'related' | 'grouping' | 'search'>,
  after: ResultPosition | undefined,
  pagesOf: (part: readonly Found[]) => readonly P[],
): AsyncGenerator<P> {
  const hasRelated = wanted.contacts || wanted.organisations || wanted.irts;
  const remembered = new Map<string, ObjectId>();
  for await (const page of primary) {
    const { last, rest } = after === undefined ? { last: [], rest: page } : partsOf(page, search, after);
    let part: Found[] = [];
    if (hasRelated && grouping) {
      const all = [...last, ...rest];
      const related = await relatedIds(index, all, wanted);
      const ids = related.map((some, at) => (at < last.length ? following(some, after) : some));
      let loaded = await loadRelated(index, ids.flat());
      for (const [position, one] of all.entries()) {
        if (position >= last.length) part.push(one);
        for (const [at, id] of ids[position]!.entries()) {
          if (!loaded.has(idText(id))) {
            for (const full of pagesOf(part)) yield full;
            part = [];
            loaded = await loadRelated(index, idsFrom(ids, position, at));
          }
          const found = loaded.get(idText(id));
          if (found) part.push(found);
        }
      }
    } else if (hasRelated) remember(remembered, (await relatedIds(index, page, wanted)).flat());
    for (const full of pagesOf(hasRelated && grouping ? part : rest)) yield full;
  }
  const ids = following([...remembered.values()].sort(byTypeAndKey), after);
  for (let at = 0; at < ids.length; ) {
    const loaded = await loadRelated(index, ids.slice(at, at + maximalPage));
    for (const full of pagesOf([...loaded.values()].filter((one) => one !== undefined))) yield full;
    at += loaded.size;
  }
}

/** The last primary object of the position, if it is on the page, and the objects after it. */
function partsOf(page: readonly Found[], search: QueryPlan['search'], { primary }: ResultPosition) {
  const compared = page.map((one) => comparePositions(search, positionOf(one), primary));
  return { last: page.filter((_, at) => compared[at] === 0), rest: page.filter((_, at) => compared[at]! > 0) };
}

/** The sorted ids after the last related object of the position. */
function following(ids: readonly ObjectId[], after: ResultPosition | undefined): ObjectId[] {
  const related = after?.related;
  return related === undefined ? [...ids] : ids.filter((id) => byTypeAndKey(id, related) > 0);
}

/** The ids from a position on. */
function* idsFrom(ids: readonly ObjectId[][], position: number, at: number): Generator<ObjectId> {
  yield* ids[position]!.slice(at);
  for (const further of ids.slice(position + 1)) yield* further;
}

function remember(remembered: Map<string, ObjectId>, ids: readonly ObjectId[]): void {
  for (const id of ids) remembered.set(idText(id), id);
  if (remembered.size > maxRemembered) {
    throw new ServiceError('exhausted', 'Too many related objects to show each once: repeat without no-grouping');
  }
}

const contactAttributes = ['admin-c', 'author', 'ping-hdl', 'tech-c', 'zone-c'] as const;

/** The order of related objects in a group. */
const relatedOrder: readonly ObjectTypeName[] = ['irt', 'organisation', 'role', 'person'];

/** Candidates for related objects of each object of a page, in order, without duplicates; they may not exist. */
async function relatedIds(index: IndexReads, page: readonly Found[], wanted: RelatedTypes): Promise<ObjectId[][]> {
  const irts = wanted.irts ? await irtsOf(index, page) : new Map<Found, string[]>();
  return page.map((one) => {
    const ids = [...idsOf('irt', irts.get(one) ?? []), ...namedIds(one.object, wanted)];
    return sortedIds(one.stored, ids);
  });
}

function namedIds(object: RpslObject, wanted: RelatedTypes): TypedKey[] {
  const organisations = wanted.organisations ? valuesOf(object, 'org') : [];
  const contacts = wanted.contacts ? contactAttributes.flatMap((name) => valuesOf(object, name)) : [];
  return [...idsOf('organisation', organisations), ...idsOf('role', contacts), ...idsOf('person', contacts)];
}

function idsOf(type: ObjectTypeName, values: readonly string[]): TypedKey[] {
  return values.map((value) => ({ type, key: foldKey(type, value) }));
}

/** In this order, without the object itself. */
function sortedIds(self: ObjectId, ids: readonly TypedKey[]): ObjectId[] {
  const distinct = new Map(ids.map(({ type, key }) => [`${type} ${key}`, { source: self.source, type, key }]));
  distinct.delete(`${self.type} ${self.key}`);
  return [...distinct.values()].sort(byTypeAndKey);
}

function byTypeAndKey(a: TypedKey, b: TypedKey): number {
  return relatedOrder.indexOf(a.type) - relatedOrder.indexOf(b.type) || compare(a.key, b.key);
}

/** The `mnt-irt` of each network, or else of the nearest enclosing network that has any (decision R9). */
async function irtsOf(index: IndexReads, page: readonly Found[]): Promise<Map<Found, string[]>> {
  const irts = new Map(page.map((one) => [one, valuesOf(one.object, 'mnt-irt')]));
  const without = page.filter(({ stored }) => stored.type === 'inetnum' || stored.type === 'inet6num');
  const requested = without.flatMap((one) => {
    const range = irts.get(one)!.length === 0 ? occupiedRange(one.object) : undefined;
    return range === undefined ? [] : [{ one, range }];
  });
  for (const { stored, networks } of byKind(requested)) {
    const ranges = networks.map(({ range }) => range);
    const nearest = await index.nearestWith(stored.source, stored.type, 'mnt-irt', ranges);
    networks.forEach(({ one }, position) => {
      const enclosing = nearest[position];
      if (enclosing) irts.set(one, [...enclosing.values]);
    });
  }
  return irts;
}

interface Network {
  readonly one: Found;
  readonly range: Range;
}

/** Groups networks by source and type. */
function byKind(networks: readonly Network[]) {
  const kinds = Map.groupBy(networks, ({ one: { stored } }) => `${stored.source} ${stored.type}`);
  return [...kinds.values()].map((group) => ({ stored: group[0]!.one.stored, networks: group }));
}

/** Loaded related objects by `idText`; undefined for those that do not exist. */
export type LoadedRelated = ReadonlyMap<string, Found | undefined>;

/** Maximum number of ids in one request. */
const atOnce = 1000;

/** As many of the first objects as one read of the index returns; at least one, if there are any. */
async function loadRelated(index: IndexReads, ids: Iterable<ObjectId>): Promise<LoadedRelated> {
  const requested = new Map<string, ObjectId>();
  for (const id of ids) {
    requested.set(idText(id), id);
    if (requested.size === atOnce) break;
  }
  if (requested.size === 0) return new Map();
  const { objects, later } = await index.load([...requested.values()]);
  for (const id of later) requested.delete(idText(id));
  const loaded = new Map(objects.map((stored) => [idText(stored), found(stored, true)]));
  return new Map([...requested.keys()].map((id) => [id, loaded.get(id)]));
}

export function idText({ type, key }: TypedKey): string {
  return `${type} ${key}`;
}
