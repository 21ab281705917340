import { type Draft } from '../edit/draft.js';
import { type ObjectName } from '../paths.js';
import { type AttributeChange } from './attribute-change.js';
import type { Proposal } from './proposal.js';
import type { StoredTexts } from './stored-texts.js';
/** What a change does with the objects that a user chose. */
export interface Plan {
    /** The chosen objects that exist. */
    readonly drafts: readonly Draft[];
    /** Those that the change changes. */
    readonly proposals: readonly Proposal[];
    /** Those that stay as they are, and why. */
    readonly kept: readonly {
        readonly name: ObjectName;
        readonly why: string;
    }[];
}
/** Applies a change to each chosen object. Before the change is complete it only tells which objects do not exist. */
export declare function planOf(names: readonly ObjectName[], stored: StoredTexts, change: AttributeChange): Plan;
