import type { CheckedObject, CheckedPage } from '../api/checked-objects.js';
import type { ObjectName } from '../paths.js';
/** What may be wrong with an object, in the order in which users should care. */
export declare const warningKinds: readonly ["conflict", "no-roa", "no-contact", "undeliverable", "dead-reference"];
export type WarningKind = (typeof warningKinds)[number];
/** Something that is wrong with an object. */
export interface Warning {
    readonly kind: WarningKind;
    readonly object: ObjectName;
    /** The details; may be empty. */
    readonly text: string;
}
/** What is wrong with one object. */
export declare function warningsOf({ object, conflicts, lacksRoa }: CheckedObject): Warning[];
/** Objects of one mntner. */
export interface CheckedPart {
    readonly maintainer: ObjectName;
    readonly types: readonly string[];
}
/** How far the objects of some mntners are checked. */
export interface Check {
    /** What is left; the first part from `cursor`. */
    readonly left: readonly CheckedPart[];
    readonly cursor: string;
    /** How many objects are checked. */
    readonly checked: number;
    readonly found: Readonly<Record<WarningKind, Found>>;
}
/** The warnings of a kind. */
export interface Found {
    readonly count: number;
    /** The first ones. */
    readonly first: readonly Warning[];
}
/** A check that has not begun. Networks come last, because there are most of them; persons and roles never. */
export declare function newCheck(mntners: readonly ObjectName[]): Check;
/** The check after the next page of its first part. A warning that is kept already counts once. */
export declare function afterPage({ left, cursor: _, checked, found }: Check, { objects, next }: CheckedPage): Check;
