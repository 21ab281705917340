import { type Draft } from '../edit/draft.js';
import type { ObjectName } from '../paths.js';
import { type AttributeChange } from './attribute-change.js';
interface ChangeFormProps {
    /** The objects that the change is for. */
    readonly drafts: readonly Draft[];
    readonly source: string;
    readonly maintainers: readonly ObjectName[];
    readonly change: AttributeChange;
    readonly set: (change: AttributeChange) => void;
    /** Whether the user asked for the form, which then gets the focus. */
    readonly takesFocus: boolean;
}
/** What to change: the operation, the attribute, and its values. */
export declare function ChangeForm({ drafts, source, maintainers, change, set, takesFocus }: ChangeFormProps): import("preact").JSX.Element;
export {};
