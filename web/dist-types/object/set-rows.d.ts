import type { ExpandedSet, SetExpansion } from '@cadastre/client';
import { type ExpandableType, type Member } from '@cadastre/rpsl';
import type { ShownRow } from '../design/tree-list.js';
/** What is known of sets, by their names in lower case. */
export interface KnownSets {
    readonly sets: ReadonlyMap<string, ExpandedSet>;
    readonly missing: ReadonlySet<string>;
    /** How many prefixes AS numbers have, as far as it is known. */
    readonly prefixes: ReadonlyMap<string, number>;
}
/** A member of a set in the tree. */
export interface MemberRow extends ShownRow {
    /** As written. */
    readonly value: string;
    readonly member: Member | undefined;
    /** Whether it names the set in `member-of`; otherwise the set names it. */
    readonly isJoined: boolean;
    /** Of an AS number: how many prefixes its routes have, if it is known. */
    readonly prefixes?: number | undefined;
    /**
     * Of a set: whether it does not exist, stands inside itself, or is open and not loaded yet. Otherwise the number of
     * its members, if it is known.
     */
    readonly state?: 'missing' | 'loop' | 'unknown' | number;
}
/** Whether objects of a type have members to expand. */
export declare function hasMembers(type: string): type is ExpandableType;
export declare const noSets: KnownSets;
/** Adds an expansion to what is known. */
export declare function withExpansion({ sets, missing, prefixes }: KnownSets, expansion: SetExpansion): KnownSets;
/** The rows of the members of a set, and of the open sets among them. `path` names the sets around the rows. */
export declare function rowsOfSet(known: KnownSets, open: ReadonlySet<string>, name: string, path?: readonly string[]): MemberRow[];
