/** Those that belong, and the others, each in their order. */
export function partition<T>(all: readonly T[], belongs: (one: T) => boolean): [T[], T[]] {
  const parts: [T[], T[]] = [[], []];
  for (const one of all) parts[belongs(one) ? 0 : 1].push(one);
  return parts;
}
