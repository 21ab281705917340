import { type Draft } from '../edit/draft.js';
/** What a change does with the values of an attribute. */
export type Operation = 'replace' | 'add' | 'remove' | 'clear' | 'set';
/** A change of one attribute, for objects of any type. */
export interface AttributeChange {
    readonly operation: Operation;
    /** Empty before one is chosen. */
    readonly attribute: string;
    /** The value to replace or remove. */
    readonly from: string;
    /** The value to add or set, or that replaces the other one. */
    readonly to: string;
}
export declare const noChange: AttributeChange;
/** Whether the user has said everything that the change needs. */
export declare function isComplete({ operation, attribute, from, to }: AttributeChange): boolean;
/** What a change makes of an object, or why it leaves the object as it is. */
export type Changed = {
    readonly draft: Draft;
} | {
    readonly kept: string;
};
/** Applies a change to an object. Values are compared without comments and letter case; elements of lists are values. */
export declare function changed(draft: Draft, { operation, attribute, from, to }: AttributeChange): Changed;
/** The values that objects have of an attribute, with the number of objects that have each, frequent ones first. */
export declare function valuesInUse(drafts: readonly Draft[], attribute: string): {
    value: string;
    objects: number;
}[];
/** The attributes that a user may change in objects of these types: not keys, the source, nor what the registry writes. */
export declare function changeableAttributes(types: readonly string[]): string[];
