import { type ObjectName } from '../paths.js';
import './edit.css';
interface CreatePageProps {
    readonly type: string;
    /** With what the form begins, as `paths.create` writes it. */
    readonly begin: URLSearchParams;
}
/** The page for a new object: chooses its type, or edits it. */
export declare function CreatePage({ type, begin }: CreatePageProps): import("preact").JSX.Element;
interface EditPageProps {
    readonly name: ObjectName;
    /** The version with which the editor begins; 0 for the current state. */
    readonly restore: number;
}
/** The page to change or delete an object, or to restore an earlier version of it. */
export declare function EditPage({ name, restore }: EditPageProps): import("preact").JSX.Element;
export {};
