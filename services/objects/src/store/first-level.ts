/**
 * Makes a filter for the outermost ranges. Pass ranges in address order, larger ones first; equal ranges are on one
 * level. Bounds may be bigints or decimal texts.
 */
export function firstLevel(): (row: { lower: bigint | string; upper: bigint | string }) => boolean {
  let cached: { lower: bigint; upper: bigint } | undefined;
  return (row) => {
    const lower = BigInt(row.lower);
    const upper = BigInt(row.upper);
    const same = cached !== undefined && cached.lower === lower && cached.upper === upper;
    if (cached !== undefined && upper <= cached.upper && !same) return false;
    cached = { lower, upper };
    return true;
  };
}
