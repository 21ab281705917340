/** A DNS name without a trailing dot. Returns other texts unchanged. */
export function withoutTrailingDot(name: string): string {
  return /[^. ]\.$/.test(name) ? name.slice(0, -1) : name;
}
