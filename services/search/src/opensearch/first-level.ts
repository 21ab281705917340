import type { Range } from '@cadastre/query';
import type { ObjectTypeName } from '@cadastre/rpsl';
import type { IndexedObject, TypeQuery } from '../index-port.js';
import { beginningIn, byAddress, equalTo, inside, not, ofType } from './clauses.js';
import { loadInParts } from './load-documents.js';
import type { Reader } from './pages.js';
import { isBehind, rangeOf, sameRange } from './ranges.js';
import { type Hit, searchHits } from './search-hits.js';

/** Maximum number of ranges in one step; fetches only the texts of the first level. */
const stepSize = 500;

/** A search for the ranges that start in a part of the space. */
interface Step {
  readonly first: bigint;
  /** Number of addresses or AS numbers in the part. */
  readonly width: bigint;
  /** The last hit of the previous step, when more objects may have its range. */
  readonly after?: Hit;
}

type FirstLevelQuery = Pick<Extract<TypeQuery, { kind: 'range' }>, 'type' | 'range' | 'from'>;

/** The objects of `readTops`, without those of another origin. */
export async function* readFirstLevel(
  reader: Reader,
  query: Extract<TypeQuery, { kind: 'range' }>,
): AsyncIterable<readonly IndexedObject[]> {
  const { type, origin } = query;
  for await (const found of readTops(reader, query)) {
    const wanted = found.filter((hit) => origin === undefined || hit.sort[2] === origin);
    yield* loadInParts(
      reader,
      wanted.map(({ sort }) => ({ type, key: sort[3]! })),
    );
  }
}

/**
 * Hits strictly inside a range and not inside another such one. Reads the ranges inside in the order of addresses, and
 * continues after the end of the last first-level object of each step: of its descendants it reads one step's worth, not
 * all. The cluster's work in a step depends on how many ranges start in its part of the space, so the density of one
 * step determines the width of the next part.
 */
export async function* readTops(reader: Reader, query: FirstLevelQuery): AsyncIterable<readonly Hit[]> {
  const { range, from } = query;
  const first = greater(range.first, from?.range?.first ?? range.first);
  let step: Step | undefined = { first, width: range.last - range.first + 1n };
  let top: Hit | undefined;
  while (step) {
    const hits: readonly Hit[] = await look(reader, query, step);
    const firstLevel = tops(hits, top);
    yield firstLevel;
    top = firstLevel.at(-1) ?? top;
    step = nextStep(range, step, hits, top);
  }
}

/** The hits that are not inside another hit, nor inside `top`, which was found before. */
function tops(hits: readonly Hit[], top: Hit | undefined): Hit[] {
  const found: Hit[] = [];
  for (const hit of hits) {
    const last = found.at(-1) ?? top;
    if (!last || isBehind(hit, last) || sameRange(hit, last)) found.push(hit);
  }
  return found;
}

function look(
  reader: Reader,
  { type, range }: { type: ObjectTypeName; range: Range },
  { first, width, after }: Step,
): Promise<readonly Hit[]> {
  const part = beginningIn({ first, last: lesser(range.last, first + width - 1n) });
  return searchHits(reader, {
    filter: [ofType(type), part, inside({ ...range, first }), not(equalTo(range))],
    order: byAddress,
    size: stepSize,
    documents: false,
    ...(after && { after: after.sort }),
  });
}

/** Undefined after the last step. */
function nextStep(range: Range, step: Step, hits: readonly Hit[], top: Hit | undefined): Step | undefined {
  const isWholePart = hits.length < stepSize;
  const last = hits.at(-1);
  if (!isWholePart && last && top && sameRange(last, top)) {
    return { first: rangeOf(top, range).first, width: step.width, after: last };
  }
  const seen = isWholePart ? step.first + step.width - 1n : step.first;
  const first = greater(seen, top ? rangeOf(top, range).last : seen) + 1n;
  if (first > range.last) return undefined;
  if (isWholePart) return { first, width: step.width * 8n };
  return { first, width: 4n * (rangeOf(last!, range).first - step.first) + 1n };
}

function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
