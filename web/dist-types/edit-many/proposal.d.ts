import type { BatchObject, BatchResult } from '../api/batch.js';
import type { ObjectName } from '../paths.js';
/** An object to write together with others. */
export interface Proposal extends BatchObject {
    readonly type: string;
    /** Undefined without a key, and while the registry chooses it. */
    readonly name: ObjectName | undefined;
    /** The text (RPSL) of the stored object; empty for a new one. */
    readonly before: string;
}
/** Whether an object is refused for itself, not for the sake of others. */
export declare function isRefused({ outcome }: BatchResult): boolean;
/** Whether an object is not in the state that the user saw. */
export declare function isOutdated({ outcome }: BatchResult): boolean;
/** A proposal, its place among all, and what the registry says about it, if that is known. */
export interface Judged {
    readonly proposal: Proposal;
    readonly at: number;
    readonly result: BatchResult | undefined;
}
/** The refused proposals first, so that nobody has to look for them. */
export declare function inOrder(proposals: readonly Proposal[], results?: readonly BatchResult[]): Judged[];
