import type { Range } from '@cadastre/query';
import { fromDigits } from './numbers.js';
import type { Hit } from './search-hits.js';

/** The range of a hit in a search ordered by the ends of ranges. */
export function rangeOf({ sort: [first, last] }: Hit, { space }: Pick<Range, 'space'>): Range {
  return { space, first: fromDigits(first!), last: fromDigits(last!) };
}

export function sameRange(a: Hit, b: Hit): boolean {
  return a.sort[0] === b.sort[0] && a.sort[1] === b.sort[1];
}

/** Whether a hit starts after the end of the previous one. */
export function isBehind(hit: Hit, before: Hit): boolean {
  return hit.sort[0]! > before.sort[1]!;
}
