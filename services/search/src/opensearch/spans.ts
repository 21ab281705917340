import type { ObjectTypeName } from '@cadastre/rpsl';
import type { HoldingsQuery, InsideQuery, Spanned } from '../index-port.js';
import { beginningFrom, byAddress, type Clause, equalTo, fromDigits, inside, not, ofType } from './clauses.js';
import { isBehind, readTops } from './hierarchy.js';
import { type Hit, type Reader, searchHits } from './search-hits.js';

/** Maximum hits of a response. */
const maxHits = 5_000;

/** Objects inside a range (`SearchIndex.spansInside`): by requests that return no documents. */
export async function spansInside(reader: Reader, query: InsideQuery): Promise<Spanned[]> {
  return (query.firstLevel ? await firstLevel(reader, query) : await all(reader, query)).map(spannedOf);
}

function spannedOf({ sort: [first, last, , key] }: Hit): Spanned {
  return { key: key!, first: fromDigits(first!), last: fromDigits(last!) };
}

async function firstLevel(reader: Reader, { type, range, max }: InsideQuery): Promise<readonly Hit[]> {
  const found: Hit[] = [];
  for await (const tops of readTops(reader, { type, range })) {
    found.push(...tops);
    if (found.length >= max) break;
  }
  return found.slice(0, max);
}

async function all(reader: Reader, { type, range, max }: InsideQuery): Promise<readonly Hit[]> {
  const filter = [ofType(type), inside(range), not(equalTo(range))];
  const found: Hit[] = [];
  for (;;) {
    const size = Math.min(max - found.length, maxHits);
    const after = found.at(-1);
    const search = { filter, order: byAddress, size, documents: false, ...(after && { after: after.sort }) };
    const hits = await searchHits(reader, search);
    found.push(...hits);
    if (hits.length < size || found.length === max) return found;
  }
}

/** Maximum number of objects in one step to the next outermost one. */
const stepSize = 500;

/**
 * The keys of the outermost objects of an organisation (`SearchIndex.holdings`). Continues after each of them: of the
 * objects in it, it reads one step's worth.
 */
export async function holdings(
  reader: Reader,
  type: ObjectTypeName,
  { organisation, max }: HoldingsQuery,
): Promise<string[]> {
  const found: Hit[] = [];
  const all: Clause[] = [ofType(type), { term: { terms: `org=${organisation}` } }];
  for (;;) {
    const top = found.at(-1);
    const filter = top ? [...all, beginningFrom(fromDigits(top.sort[1]!) + 1n)] : all;
    const hits = await searchHits(reader, { filter, order: byAddress, size: stepSize, documents: false });
    for (const hit of hits) if (found.length === 0 || isBehind(hit, found.at(-1)!)) found.push(hit);
    if (hits.length < stepSize || found.length >= max) return found.slice(0, max).map(({ sort }) => sort[3]!);
  }
}
