import { type BatchResult } from '../api/batch.js';
import { type Saving } from '../edit/saving.js';
import type { ObjectName } from '../paths.js';
import './edit-many.css';
import { type Proposal } from './proposal.js';
interface WriteTogetherProps {
    readonly source: string;
    readonly proposals: readonly Proposal[];
    /** Of the deletions. */
    readonly reason?: string;
    readonly maintainers: readonly ObjectName[];
    readonly saving: Saving;
    /** Looks up the stored objects again. */
    readonly refresh: () => void;
    /** Takes objects away from the proposals. */
    readonly leaveOut?: (names: readonly ObjectName[]) => void;
    readonly saved: (results: readonly BatchResult[]) => void;
}
/** Shows what writing objects together would do, by a dry run, and writes them in one transaction. */
export declare function WriteTogether(props: WriteTogetherProps): import("preact").JSX.Element | null;
/** Tells that a selection or a text has too many objects. */
export declare function TooMany({ count }: {
    readonly count: number;
}): import("preact").JSX.Element;
export {};
