/** What the sticky expression matches at this position; empty when nothing. */
export function matchAt(sticky: RegExp, text: string, at: number): string {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? '';
}
