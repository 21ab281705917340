/** Consecutive numbers, both ends included. */
export interface Span {
  readonly first: bigint;
  readonly last: bigint;
}

/** Orders spans by their first numbers, larger ones before those inside them. */
export function bySpan(one: Span, other: Span): number {
  if (one.first !== other.first) return one.first < other.first ? -1 : 1;
  if (one.last !== other.last) return one.last > other.last ? -1 : 1;
  return 0;
}

/** The minimal list of spans with the same numbers, in ascending order. */
export function merged(spans: Iterable<Span>): Span[] {
  const result: { first: bigint; last: bigint }[] = [];
  for (const { first, last } of [...spans].sort(bySpan)) {
    const before = result.at(-1);
    if (before === undefined || before.last + 1n < first) result.push({ first, last });
    else if (before.last < last) before.last = last;
  }
  return result;
}

/** The numbers of `spans` that are not in `others`; both as `merged` returns them. */
export function without(spans: readonly Span[], others: readonly Span[]): Span[] {
  const result: Span[] = [];
  let at = 0;
  for (const { first, last } of spans) {
    let next = first;
    while (at < others.length && others[at]!.last < first) at += 1;
    for (let other = at; other < others.length && others[other]!.first <= last; other += 1) {
      if (next < others[other]!.first) result.push({ first: next, last: others[other]!.first - 1n });
      next = others[other]!.last + 1n;
    }
    if (next <= last) result.push({ first: next, last });
  }
  return result;
}
