import type { ObjectName } from '../paths.js';
import { type Draft } from './draft.js';
import type { PlacedMessages } from './placed-messages.js';
interface ObjectFormProps {
    readonly draft: Draft;
    readonly set: (draft: Draft) => void;
    readonly messages: PlacedMessages;
    readonly source: string;
    readonly maintainers: readonly ObjectName[];
    /** The key of an existing object cannot change. */
    readonly exists: boolean;
}
/** An object as a form based on its template, mandatory attributes first. */
export declare function ObjectForm(props: ObjectFormProps): import("preact").JSX.Element;
export {};
