import { type Draft } from './draft.js';
/** An object that is written as form or as text. */
export interface ObjectText {
    /** The object as it is written now (RPSL). */
    readonly written: string;
    /** The same as a draft; undefined while the text is no object. */
    readonly draft: Draft | undefined;
    /** Why the text is no object. */
    readonly fault: string | undefined;
    readonly isText: boolean;
    readonly setText: (text: string) => void;
    readonly setForm: (form: Draft) => void;
    readonly showText: () => void;
    readonly showForm: () => void;
    /** Replaces the object by another text; a text that is no object is shown as text. */
    readonly load: (text: string, asText: boolean) => void;
}
/** The state of an object in the editor, which begins as a form if its text is an object. */
export declare function useObjectText(first: Draft | string): ObjectText;
/** The draft of a text; undefined for a text that is no object. */
export declare function asDraft(text: string): Draft | undefined;
