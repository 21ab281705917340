/**
 * Makes a filter that keeps the outermost ranges. Pass ranges in address order, larger ones first; equal ranges are on
 * one level. Bounds may be bigints or decimal texts.
 */
export function firstLevel(): (row: { lower: bigint | string; upper: bigint | string }) => boolean {
  let kept: { lower: bigint; upper: bigint } | undefined;
  return (row) => {
    const lower = BigInt(row.lower);
    const upper = BigInt(row.upper);
    const same = kept !== undefined && kept.lower === lower && kept.upper === upper;
    if (kept !== undefined && upper <= kept.upper && !same) return false;
    kept = { lower, upper };
    return true;
  };
}
