import type { ObjectTypeName } from '@cadastre/rpsl';
import { type IndexedObject, maximalPage, type Range, type TypeQuery } from '../index-port.js';
import { beginningIn, byAddress, equalTo, inside, not, ofType } from './clauses.js';
import { loadDocuments } from './load-documents.js';
import { documentId } from './names.js';
import type { Reader } from './pages.js';
import { isBehind, rangeOf, sameRange } from './ranges.js';
import { type Hit, searchHits } from './search-hits.js';
import { toIndexed } from './stored-document.js';

/** Ranges that one step looks at; only the texts of the first level are fetched. */
const stepSize = 500;

/** A bounded look at the ranges that begin in a part of the space. */
interface Step {
  readonly first: bigint;
  /** How many numbers the part has. */
  readonly width: bigint;
  /** The last hit of the step before, when its range may have more objects. */
  readonly after?: Hit;
}

/**
 * Objects strictly inside a range and not inside another such one. Looks at what lies inside in the order of
 * addresses, and goes on behind the end of the last object of the first level that a step has shown: of its
 * descendants one step's are looked at, not all. The cluster's work in a step goes with what begins in its part of
 * the space; how wide that part is follows from how crowded the one before was.
 */
export async function* readFirstLevel(
  reader: Reader,
  query: Extract<TypeQuery, { kind: 'range' }>,
): AsyncIterable<readonly IndexedObject[]> {
  const { range, origin } = query;
  let step: Step | undefined = { first: range.first, width: range.last - range.first + 1n };
  let top: Hit | undefined;
  while (step) {
    const hits: readonly Hit[] = await look(reader, query, step);
    const firstLevel = tops(hits, top);
    yield* loadPages(
      reader,
      query.type,
      firstLevel.filter((hit) => origin === undefined || hit.sort[2] === origin),
    );
    top = firstLevel.at(-1) ?? top;
    step = nextStep(range, step, hits, top);
  }
}

/** Those of the hits that are not inside another one or inside `top`, which was found before. */
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
  return searchHits(
    reader.cluster,
    {
      alias: reader.alias,
      filter: [ofType(type), part, inside({ ...range, first }), not(equalTo(range))],
      order: byAddress,
      size: stepSize,
      documents: false,
      ...(after && { after: after.sort }),
    },
    reader.signal,
  );
}

/** Undefined when everything was looked at. */
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

async function* loadPages(
  reader: Reader,
  type: ObjectTypeName,
  hits: readonly Hit[],
): AsyncIterable<readonly IndexedObject[]> {
  for (let from = 0; from < hits.length; from += maximalPage) {
    const ids = hits.slice(from, from + maximalPage).map(({ sort }) => documentId({ type, key: sort[3]! }));
    const documents = await loadDocuments(reader.cluster, reader.alias, ids, reader.signal);
    const page = documents.flatMap((document) => (document ? [toIndexed(reader.source, document)] : []));
    if (page.length > 0) yield page;
  }
}
