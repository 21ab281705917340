import { type TaggedText } from '../api/objects.js';
import { type ObjectName } from '../paths.js';
import { type Draft } from './draft.js';
import { type Destination } from './write.js';
interface EditorProps {
    readonly to: Destination;
    readonly heading: string;
    readonly about: string;
    /** The current object; empty for a new one. */
    readonly before: TaggedText;
    /** The initial text, if it differs from the current object. */
    readonly draft: Draft | undefined;
    /** Whether the draft can be saved as it is: an earlier version. */
    readonly isRestored: boolean;
    /** The address of the page, under which the tab keeps its changes. */
    readonly page: string;
    readonly maintainers: readonly ObjectName[];
}
/**
 * Edits an object as form or text, and shows the registry's messages; the registry has dry-run everything that is
 * saved. Changes outlive the page, and are merged with what others change meanwhile.
 */
export declare function Editor({ to, heading, about, before, draft: first, isRestored, page, maintainers }: EditorProps): import("preact").JSX.Element;
export {};
