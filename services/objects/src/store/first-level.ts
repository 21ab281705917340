/**
 * Makes a filter that keeps the outermost ranges. It wants them in address order, larger ones first, and equal ranges
 * are of one level. Bounds may be bigints or decimal texts.
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
