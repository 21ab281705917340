import { foldKey, type ObjectTypeName, type RpslObject, valuesOf } from '@cadastre/rpsl';
import type { ObjectId, SearchIndex } from '../index-port.js';
import type { RelatedTypes } from '../query/plan.js';
import { occupiedRange } from '../ranges.js';
import { type Found, found } from './found.js';

const contactAttributes = ['admin-c', 'author', 'ping-hdl', 'tech-c', 'zone-c'] as const;

/** The order of related objects in a group. */
const relatedOrder: readonly ObjectTypeName[] = ['irt', 'organisation', 'role', 'person'];

/** Which objects may accompany each object of a page, in their order, each once; they need not exist. */
export function relatedIds(
  index: SearchIndex,
  page: readonly Found[],
  wanted: RelatedTypes,
  signal: AbortSignal,
): Promise<ObjectId[][]> {
  return Promise.all(
    page.map(async (one) => {
      const irts = wanted.irts ? await irtsOf(index, one, signal) : [];
      return sortedIds(one.stored, [...idsOf('irt', irts), ...namedIds(one.object, wanted)]);
    }),
  );
}

type TypedKey = Pick<ObjectId, 'type' | 'key'>;

function namedIds(object: RpslObject, wanted: RelatedTypes): TypedKey[] {
  const organisations = wanted.organisations ? valuesOf(object, 'org') : [];
  const contacts = wanted.contacts ? contactAttributes.flatMap((name) => valuesOf(object, name)) : [];
  return [...idsOf('organisation', organisations), ...idsOf('role', contacts), ...idsOf('person', contacts)];
}

function idsOf(type: ObjectTypeName, values: readonly string[]): TypedKey[] {
  return values.map((value) => ({ type, key: foldKey(type, value) }));
}

/** In their order, without the object itself. */
function sortedIds(self: ObjectId, ids: readonly TypedKey[]): ObjectId[] {
  const distinct = new Map(ids.map(({ type, key }) => [`${type} ${key}`, { source: self.source, type, key }]));
  distinct.delete(`${self.type} ${self.key}`);
  return [...distinct.values()].sort(byTypeAndKey);
}

export function byTypeAndKey(a: TypedKey, b: TypedKey): number {
  return relatedOrder.indexOf(a.type) - relatedOrder.indexOf(b.type) || (a.key < b.key ? -1 : Number(a.key > b.key));
}

/** The `mnt-irt` of the object itself, else of the nearest one that encloses it and has any (decision R9). */
async function irtsOf(index: SearchIndex, { stored, object }: Found, signal: AbortSignal): Promise<string[]> {
  const range = stored.type === 'inetnum' || stored.type === 'inet6num' ? occupiedRange(object) : undefined;
  if (range === undefined) return [];
  let nearest: string[] = [];
  const query = { kind: 'range', type: stored.type, range, mode: 'all-less' } as const;
  const own = valuesOf(object, 'mnt-irt');
  if (own.length > 0) return own;
  for await (const page of index.query(stored.source, query, signal)) {
    for (const enclosing of page) {
      const irts = found(enclosing, true);
      const values = irts ? valuesOf(irts.object, 'mnt-irt') : [];
      if (values.length > 0) nearest = values;
    }
  }
  return nearest;
}

/** Objects by their keys, those that exist. */
export async function loadRelated(index: SearchIndex, ids: readonly ObjectId[]): Promise<Map<string, Found>> {
  const distinct = [...new Map(ids.map((id) => [idText(id), id])).values()];
  const loaded = await index.load(distinct);
  return new Map(
    loaded.flatMap((stored) => {
      const one = stored && found(stored, true);
      return one ? [[idText(one.stored), one] as const] : [];
    }),
  );
}

export function idText({ type, key }: TypedKey): string {
  return `${type} ${key}`;
}
