const operator = /^\^(?:[+-]|(\d+)(?:-(\d+))?)$/;

/** `^+`, `^-`, `^n` or `^n-m` with min <= n <= m <= max (prefix lengths). */
export function isRangeOperator(text: string, max: number, least = 0): boolean {
  const match = operator.exec(text);
  if (match === null) return false;
  if (match[1] === undefined) return true;
  const from = Number(match[1]);
  const to = Number(match[2] ?? match[1]);
  return least <= from && from <= to && to <= max;
}
