/** A DNS name without the dot that ends its absolute form. What is no name is left alone. */
export function withoutTrailingDot(name: string): string {
  return /[^. ]\.$/.test(name) ? name.slice(0, -1) : name;
}
