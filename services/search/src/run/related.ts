import type { Range } from '@cadastre/query';
import { foldKey, type ObjectTypeName, type RpslObject, valuesOf } from '@cadastre/rpsl';
import type { IndexReads, ObjectId } from '../index-port.js';
import type { RelatedTypes } from '../query/plan.js';
import { occupiedRange } from '../ranges.js';
import { type Found, found } from './found.js';
import { compare, type TypedKey } from './place.js';

const contactAttributes = ['admin-c', 'author', 'ping-hdl', 'tech-c', 'zone-c'] as const;

/** The order of related objects in a group. */
const relatedOrder: readonly ObjectTypeName[] = ['irt', 'organisation', 'role', 'person'];

/** Candidates for related objects of each object of a page, in order, without duplicates; they may not exist. */
export async function relatedIds(
  index: IndexReads,
  page: readonly Found[],
  wanted: RelatedTypes,
): Promise<ObjectId[][]> {
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

export function byTypeAndKey(a: TypedKey, b: TypedKey): number {
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

/** As many of the first objects as one read of the index returns; at least one. */
export async function loadRelated(index: IndexReads, ids: Iterable<ObjectId>): Promise<LoadedRelated> {
  const requested = new Map<string, ObjectId>();
  for (const id of ids) {
    requested.set(idText(id), id);
    if (requested.size === atOnce) break;
  }
  const { objects, later } = await index.load([...requested.values()]);
  for (const id of later) requested.delete(idText(id));
  const loaded = new Map(objects.map((stored) => [idText(stored), found(stored, true)]));
  return new Map([...requested.keys()].map((id) => [id, loaded.get(id)]));
}

export function idText({ type, key }: TypedKey): string {
  return `${type} ${key}`;
}
