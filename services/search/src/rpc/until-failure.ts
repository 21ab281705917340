import type { DescribeHolders } from '../annotations/ports.js';

/** Stops calling after the first failure: further objects get no annotations. */
export function untilFailure(describe: DescribeHolders, onFailure: (error: unknown) => void): DescribeHolders {
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
