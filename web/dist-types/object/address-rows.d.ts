import { type AddressRange } from '@cadastre/rpsl';
import type { NextPage } from '../api/search.js';
import type { ShownRow } from '../design/tree-list.js';
import type { ObjectName } from '../paths.js';
import type { Node } from './address-space.js';
/** The objects of one type on a level of the tree, by address, as far as they are loaded. */
export interface LevelPart {
    readonly type: string;
    readonly nodes: readonly Node[];
    /** Where the next page begins; undefined when all are loaded. */
    readonly next: NextPage | undefined;
}
/** The first level of objects inside a range. */
export type Level = {
    readonly state: 'loading';
    readonly parts: readonly LevelPart[];
} | {
    readonly state: 'failed';
    readonly parts: readonly LevelPart[];
    readonly error: unknown;
} | {
    readonly state: 'loaded';
    readonly parts: readonly LevelPart[];
};
/** A row of the tree: an object, or what stands for further ones of a level. */
export type AddressRow = ShownRow & {
    readonly level: string;
} & ({
    readonly kind: 'object';
    readonly node: Node;
    readonly outer: AddressRange;
} | {
    readonly kind: 'more' | 'failed' | 'nothing';
});
/** Identifies an object on its level. The identifiers of it and of those around it identify the level inside it. */
export declare function nodeId({ object: { name } }: Node): string;
/** The object around a level that is not the outermost one. */
export declare function objectOfLevel(id: string, source: string): ObjectName;
/** The types of the objects that stand inside an object: inside a route only routes. */
export declare function typesInside(type: string): readonly string[];
/**
 * The objects of a level by address, larger ones first, up to where all parts are loaded. Routes inside a network of the
 * level are inside that network.
 */
export declare function nodesOfLevel(parts: readonly LevelPart[]): readonly Node[];
/** The rows of a level and of the open ones inside it. */
export declare function rowsOfLevel(levels: ReadonlyMap<string, Level>, open: ReadonlySet<string>, id: string, outer: AddressRange, depth?: number): AddressRow[];
