/** A part of a mix. */
export interface Part<T> {
  readonly of: T;
  /** How many of so many as all parts have together. */
  readonly share: number;
}

/** Says what the n-th of a mix is, and what number it has among those of its part; each part is spread evenly. */
export function deal<T>(parts: readonly Part<T>[]): (n: number) => { readonly of: T; readonly number: number } {
  const turns = parts
    .flatMap((part) => Array.from({ length: part.share }, (_, rank) => ({ part, rank, at: (rank + 0.5) / part.share })))
    .sort((a, b) => a.at - b.at);
  return (n) => {
    const { part, rank } = turns[n % turns.length]!;
    return { of: part.of, number: Math.floor(n / turns.length) * part.share + rank };
  };
}
