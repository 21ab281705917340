import type { DescribeHolders } from '../annotations/ports.js';

/** Gives up on the first failure: from then on nothing is known about any object. */
export function unlessAway(describe: DescribeHolders, onFailure: (error: unknown) => void): DescribeHolders {
  let failed = false;
  return async (ids, question, call) => {
    if (failed) return [];
    try {
      return await describe(ids, question, call);
    } catch (error) {
      if (call.signal.aborted) throw error;
      failed = true;
      onFailure(error);
      return [];
    }
  };
}
