import { type Draft } from '../edit/draft.js';
import { type TabStorage } from '../edit/kept-work.js';
import { type ObjectName } from '../paths.js';
import type { Proposal } from './proposal.js';
import type { StoredTexts } from './stored-texts.js';
/** One object of a text with several. */
export type PastedObject = {
    readonly draft: Draft;
    /** Undefined without a key, and while the registry chooses it. */
    readonly name: ObjectName | undefined;
    /** Why the object is to be deleted: it has an attribute `delete`, as in mails to a registry. */
    readonly deletion: string | undefined;
} | {
    readonly text: string;
    readonly fault: string;
};
/** The objects of a text, which blank lines separate. Leaves out lines that begin with `%` or `#`. */
export declare function pastedObjects(text: string, source: string): PastedObject[];
/** What it takes to write the objects of a text, without those that are faulty. */
export declare function proposalsOf(objects: readonly PastedObject[], stored: StoredTexts): {
    readonly proposals: readonly Proposal[];
    readonly reason: string;
};
/** What the tab keeps of the page for a text with several objects. */
export interface PastedWork {
    readonly text: string;
    /** Names the creation; empty before the page has made one. */
    readonly key: string;
}
/** Hands a text to the page for several objects. Returns false where the tab cannot keep it. */
export declare function keepPasted(storage: TabStorage | undefined, text: string): boolean;
/** Whether a text has several objects. */
export declare function hasSeveralObjects(text: string): boolean;
