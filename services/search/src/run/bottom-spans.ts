import type { Spanned } from '../index-port.js';

/** A range, while the ranges inside it are read. */
interface Open {
  /** The objects with this range: one, unless several zones have the same addresses. */
  readonly spans: [Spanned, ...Spanned[]];
  /** Last number of the most recently read range directly inside it. */
  childrenEnd?: bigint;
  /** Whether the first of these begins where it begins. */
  childrenBegin: boolean;
  /** Whether one of these belongs to the bottom. */
  hasBottom: boolean;
}

/**
 * The bottom of a tree: ranges without others inside, and the ranges around each of these, unless what lies directly
 * inside them reaches both of their ends. Pass all ranges in address order, larger ones first, equal, nested or
 * disjoint; returns them in the same order.
 */
export function bottomOf(spans: readonly Spanned[]): Spanned[] {
  const bottom = new Set<Spanned>();
  const open: Open[] = [];
  const close = () => {
    const { spans, childrenEnd, childrenBegin, hasBottom } = open.pop()!;
    const isReached = childrenBegin && childrenEnd === spans[0].last;
    if (childrenEnd !== undefined && (!hasBottom || isReached)) return;
    for (const span of spans) bottom.add(span);
    const parent = open.at(-1);
    if (parent) parent.hasBottom = true;
  };
  for (const span of spans) {
    while (open.length > 0 && open.at(-1)!.spans[0].last < span.first) close();
    const parent = open.at(-1);
    if (parent && isSameRange(parent.spans[0], span)) {
      parent.spans.push(span);
      continue;
    }
    if (parent) {
      if (parent.childrenEnd === undefined) parent.childrenBegin = span.first === parent.spans[0].first;
      parent.childrenEnd = span.last;
    }
    open.push({ spans: [span], childrenBegin: false, hasBottom: false });
  }
  while (open.length > 0) close();
  return spans.filter((span) => bottom.has(span));
}

function isSameRange(one: Spanned, other: Spanned): boolean {
  return one.first === other.first && one.last === other.last;
}
