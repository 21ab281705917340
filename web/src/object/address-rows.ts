import { type AddressRange, contains } from '@cadastre/rpsl';
import type { NextPage } from '../api/search.js';
import type { ShownRow } from '../design/tree-list.js';
import type { ObjectName } from '../paths.js';
import { byAddress, isRoute, isSame, type Node } from './address-space.js';

/** The objects of one type on a level of the tree, by address, as far as they are loaded. */
export interface LevelPart {
  readonly type: string;
  readonly nodes: readonly Node[];
  /** Where the next page begins; undefined when all are loaded. */
  readonly next: NextPage | undefined;
}

/** The first level of objects inside a range. */
export type Level =
  | { readonly state: 'loading'; readonly parts: readonly LevelPart[] }
  | { readonly state: 'failed'; readonly parts: readonly LevelPart[]; readonly error: unknown }
  | { readonly state: 'loaded'; readonly parts: readonly LevelPart[] };

/** A row of the tree: an object, or a placeholder for further ones of a level. */
export type AddressRow = ShownRow & { readonly level: string } & (
    | { readonly kind: 'object'; readonly node: Node; readonly outer: AddressRange }
    | { readonly kind: 'more' | 'failed' | 'nothing' }
  );

/** Identifies an object on its level. The identifiers of it and of those around it identify the level inside it. */
export function nodeId({ object: { name } }: Node): string {
  return `${name.type} ${name.key}`;
}

/** The object around a level that is not the outermost one. */
export function objectOfLevel(id: string, source: string): ObjectName {
  const own = id.slice(id.lastIndexOf('>') + 1).trim();
  const end = own.indexOf(' ');
  return { source, type: own.slice(0, end), key: own.slice(end + 1) };
}

/** The types of networks and routes that have addresses of the same family as a type. */
export function typesOfFamily(type: string): readonly string[] {
  return type.endsWith('6') || type === 'inet6num' ? ['inet6num', 'route6'] : ['inetnum', 'route'];
}

/** The types of the objects inside an object: inside a route only routes. */
export function typesInside(type: string): readonly string[] {
  return isRoute(type) ? typesOfFamily(type).slice(1) : typesOfFamily(type);
}

/**
 * The objects of a level by address, larger ones first, up to where all parts are loaded. Routes inside a network of the
 * level are inside that network.
 */
export function nodesOfLevel(parts: readonly LevelPart[]): readonly Node[] {
  const ends = parts.flatMap(({ nodes, next }) => (next ? [nodes.at(-1)?.range.first ?? -1n] : []));
  const nodes = parts
    .flatMap((part) => part.nodes)
    .filter(({ range }) => ends.every((end) => range.first <= end))
    .sort((a, b) => byAddress(a.range, b.range));
  let network: AddressRange | undefined;
  return nodes.filter(({ object, range }) => {
    if (!isRoute(object.name.type)) network = range;
    else return network === undefined || isSame(network, range) || !contains(network, range);
    return true;
  });
}

/** The rows of a level and of the open ones inside it. */
export function rowsOfLevel(
  levels: ReadonlyMap<string, Level>,
  open: ReadonlySet<string>,
  id: string,
  outer: AddressRange,
  depth = 0,
): AddressRow[] {
  const level = levels.get(id);
  const nodes = nodesOfLevel(level?.parts ?? []);
  const isComplete = level?.state === 'loaded' && level.parts.every(({ next }) => next === undefined);
  const siblings = isComplete ? nodes.length : -1;
  const rows = nodes.flatMap((node, at): AddressRow[] => {
    const own = id === '' ? nodeId(node) : `${id} > ${nodeId(node)}`;
    const isOpen = node.range.first === node.range.last ? undefined : open.has(own);
    const row = { kind: 'object', id: own, level: id, depth, node, outer, isOpen, place: at + 1, siblings } as const;
    return isOpen ? [row, ...rowsOfLevel(levels, open, own, node.range, depth + 1)] : [row];
  });
  const kind = level?.state === 'failed' ? 'failed' : !isComplete ? 'more' : nodes.length === 0 ? 'nothing' : undefined;
  if (kind) rows.push({ kind, id: `${kind} ${id}`, level: id, depth, place: nodes.length + 1, siblings });
  return rows;
}
