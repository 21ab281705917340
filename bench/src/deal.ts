/** A part of a mix. */
export interface Part<T> {
  readonly of: T;
  /** Number of its items in a sequence as long as the sum of all shares. */
  readonly share: number;
}

/** Returns the part of the n-th item of a mix, and its number within that part; each part is spread evenly. */
export function deal<T>(parts: readonly Part<T>[]): (n: number) => { readonly of: T; readonly number: number } {
  const turns = parts
    .flatMap((part) => Array.from({ length: part.share }, (_, rank) => ({ part, rank, at: (rank + 0.5) / part.share })))
    .sort((a, b) => a.at - b.at);
  return (n) => {
    const { part, rank } = turns[n % turns.length]!;
    return { of: part.of, number: Math.floor(n / turns.length) * part.share + rank };
  };
}
