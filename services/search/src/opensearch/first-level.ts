import { type IndexedObject, maximalPage, type Range, type TypeQuery } from '../index-port.js';
import { byAddress, equalTo, inside, not, ofType } from './clauses.js';
import { loadDocuments } from './load-documents.js';
import type { Reader } from './pages.js';
import { isBehind, rangeOf, sameRange } from './ranges.js';
import { type Hit, searchHits } from './search-hits.js';
import { toIndexed } from './stored-document.js';

/** Ranges that one step looks at; only the texts of the first level are fetched. */
const stepSize = 500;

/** Where the next step begins. */
interface Start {
  readonly first: bigint;
  /** The last hit of the step before, when its range may have more objects. */
  readonly after?: Hit;
}

/**
 * Objects strictly inside a range and not inside another such one. Looks at what lies inside in the order of
 * addresses; a step that ends among the descendants of an object goes on behind that object's end, so of an object's
 * descendants one step's are looked at and not all.
 */
export async function* readFirstLevel(
  reader: Reader,
  query: Extract<TypeQuery, { kind: 'range' }>,
): AsyncIterable<readonly IndexedObject[]> {
  const { range, origin } = query;
  let start: Start | undefined = { first: range.first };
  let top: Hit | undefined;
  while (start) {
    const hits: readonly Hit[] = await readStep(reader, query, start);
    const firstLevel: Hit[] = [];
    for (const hit of hits) {
      const isTop: boolean = !top || isBehind(hit, top) || sameRange(hit, top);
      if (!isTop) continue;
      top = hit;
      firstLevel.push(hit);
    }
    yield* loadPages(
      reader,
      firstLevel.filter((hit) => origin === undefined || hit.sort[2] === origin),
    );
    start = hits.length < stepSize ? undefined : nextStart(range, hits.at(-1)!, top!);
  }
}

function readStep(reader: Reader, { type, range }: { type: TypeQuery['type']; range: Range }, { first, after }: Start) {
  return searchHits(
    reader.cluster,
    {
      alias: reader.alias,
      filter: [ofType(type), inside({ ...range, first }), not(equalTo(range))],
      order: byAddress,
      size: stepSize,
      documents: false,
      ...(after && { after: after.sort }),
    },
    reader.signal,
  );
}

function nextStart(range: Range, last: Hit, top: Hit): Start | undefined {
  const covered = rangeOf(top, range);
  if (sameRange(last, top)) return { first: covered.first, after: last };
  return covered.last < range.last ? { first: covered.last + 1n } : undefined;
}

async function* loadPages(reader: Reader, hits: readonly Hit[]): AsyncIterable<readonly IndexedObject[]> {
  for (let from = 0; from < hits.length; from += maximalPage) {
    const ids = hits.slice(from, from + maximalPage).map((hit) => hit._id);
    const documents = await loadDocuments(reader.cluster, reader.alias, ids, reader.signal);
    const page = documents.flatMap((document) => (document ? [toIndexed(reader.source, document)] : []));
    if (page.length > 0) yield page;
  }
}
