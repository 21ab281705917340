import { type SubmittedAttribute } from '@cadastre/client';
import { type AttributeUse } from '@cadastre/rpsl';
/** An attribute as written. */
export interface Written {
    readonly name: string;
    /** With its comment; lines after the first continue it. */
    readonly value: string;
}
/** One attribute of an object in the editor. */
export interface Row extends Written {
    /** Identifies the row in its draft. */
    readonly id: number;
    /** Added by the form, not by the user: counts only once it has a value. */
    readonly offered: boolean;
}
/** An object in the editor. */
export interface Draft {
    readonly type: string;
    /** In the order of the object. */
    readonly rows: readonly Row[];
}
/** Parses a text, or returns its error. Also offers the missing mandatory attributes. */
export declare function draftOfText(text: string): Draft | {
    readonly fault: string;
};
/** A new object of a type with its mandatory attributes and the known values. */
export declare function newDraft(type: string, known: Readonly<Record<string, string>>): Draft;
/** The draft as text (RPSL), without rows that were only offered. */
export declare function textOf(draft: Draft): string;
/** The attributes of a draft, without rows that were only offered. */
export declare function attributesOf({ rows }: Draft): Written[];
/** The text (RPSL) of an object with these attributes. */
export declare function textOfAttributes(type: string, attributes: readonly Written[]): string;
/** The attributes to send, without rows that were only offered and without generated attributes. */
export declare function submitted(draft: Draft): SubmittedAttribute[];
/** The text of an object (RPSL) without generated attributes; other texts unchanged. */
export declare function textByPeople(text: string): string;
/** Whether the registry left out of a text (RPSL) what its reader may not see. */
export declare function isFilteredText(text: string): boolean;
/** Changes the value of a row. */
export declare function change(draft: Draft, id: number, value: string): Draft;
/** Removes a row. */
export declare function drop(draft: Draft, id: number): Draft;
/** Adds an empty row: after the last one of its name, else at its place in the template. */
export declare function add(draft: Draft, name: string): Draft;
/** Sets a row to the first of several pasted lines and adds rows of the same name for the others. */
export declare function fill(draft: Draft, id: number, [first, ...more]: readonly string[]): Draft;
/** The attributes that may be added to a draft. */
export declare function addable(draft: Draft): AttributeUse[];
/** The template line of an attribute; `undefined` when the type does not have it. */
export declare function useOf({ type }: Draft, name: string): AttributeUse | undefined;
/** The value of a row as the registry prints it, for example in its messages. */
export declare function printedValue({ name, value }: Pick<Row, 'name' | 'value'>): string;
