import { type ObjectName } from '../paths.js';
interface DeleteObjectProps {
    readonly name: ObjectName;
    /** The state to delete. */
    readonly tag: string;
    readonly maintainers: readonly ObjectName[];
    readonly deleted: () => void;
}
/** Deletes an object in two steps: a dry run, which shows obstacles, then the deletion. */
export declare function DeleteObject({ name, tag, maintainers, deleted }: DeleteObjectProps): import("preact").JSX.Element;
export {};
