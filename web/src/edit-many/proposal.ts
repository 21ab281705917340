import type { BatchObject, BatchResult } from '../api/batch.js';
import type { ObjectName } from '../paths.js';

/** An object to write together with others. */
export interface Proposal extends BatchObject {
  readonly type: string;
  /** Undefined without a key, and until the registry chooses it. */
  readonly name: ObjectName | undefined;
  /** The text (RPSL) of the stored object; empty for a new one. */
  readonly before: string;
}

/** Whether an object itself is refused, not because of others. */
export function isRefused({ outcome }: BatchResult): boolean {
  return !['created', 'modified', 'deleted', 'unchanged', 'skipped'].includes(outcome);
}

/** Whether an object is not in the state that the user saw. */
export function isOutdated({ outcome }: BatchResult): boolean {
  return ['stale', 'exists', 'not-found'].includes(outcome);
}

/** A proposal, its place among all, and the registry's result for it, if known. */
export interface Judged {
  readonly proposal: Proposal;
  readonly at: number;
  readonly result: BatchResult | undefined;
}

/** The refused proposals first, so that users find them immediately. */
export function inOrder(proposals: readonly Proposal[], results: readonly BatchResult[] = []): Judged[] {
  const all = proposals.map((proposal, at) => ({ proposal, at, result: results[at] }));
  const isFirst = ({ result }: Judged) => result !== undefined && isRefused(result);
  return [...all.filter(isFirst), ...all.filter((judged) => !isFirst(judged))];
}
