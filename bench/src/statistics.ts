/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** How the values of two series compare, pair by pair. */
export interface Comparison {
  /** Median of the ratios of all pairs. */
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
  /**
   * Whether the difference is more than noise: in at least five pairs, all ratios are on one side of 1, and their median
   * is further away from 1 than half of their spread.
   */
  readonly differs: boolean;
}

const fewest = 5;

/** Values of the same position were measured one right after the other. */
export function compare(values: readonly number[], base: readonly number[]): Comparison {
  const ratios = values.map((value, position) => value / base[position]!);
  const isOneSided = ratios.every((ratio) => ratio > 1) || ratios.every((ratio) => ratio < 1);
  const middle = median(ratios);
  const [lowest, highest] = [Math.min(...ratios), Math.max(...ratios)];
  const isClear = Math.abs(middle - 1) > (highest - lowest) / 2;
  return { ratio: middle, lowest, highest, differs: ratios.length >= fewest && isOneSided && isClear };
}
