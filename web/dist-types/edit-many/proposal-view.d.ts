import type { BatchResult } from '../api/batch.js';
import { type ObjectName } from '../paths.js';
import { type Proposal } from './proposal.js';
interface ProposalViewProps {
    readonly proposal: Proposal;
    /** What the registry says about it; undefined while it is asked. */
    readonly result: BatchResult | undefined;
    readonly leaveOut: ((names: readonly ObjectName[]) => void) | undefined;
}
/** One of the objects that are written together: what would change, and what the registry says about it. */
export declare function ProposalView({ proposal, result, leaveOut }: ProposalViewProps): import("preact").JSX.Element;
export {};
