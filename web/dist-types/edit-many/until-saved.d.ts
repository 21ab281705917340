import type { ComponentChildren } from 'preact';
import type { BatchResult } from '../api/batch.js';
import type { ObjectName } from '../paths.js';
/** What a page needs to write objects together. */
export interface Writing {
    readonly source: string;
    /** The mntners of the user. */
    readonly maintainers: readonly ObjectName[];
    /** Call it with the results of a write. */
    readonly saved: (results: readonly BatchResult[]) => void;
}
interface UntilSavedProps {
    readonly title: string;
    readonly children: (writing: Writing) => ComponentChildren;
}
/** A page that writes objects together; after the write it shows what was saved. */
export declare function UntilSaved({ title, children }: UntilSavedProps): import("preact").JSX.Element;
export {};
