import { type IndexedObject, type Matches, maximalBytes, maximalPage } from '../index-port.js';
import type { Reader } from './reader.js';

/** The matches of several searches, one after the other; starts each further search on demand. */
export async function inSequence(
  searches: readonly (() => Promise<Matches | undefined>)[],
): Promise<Matches | undefined> {
  const [first, ...others] = searches;
  const matches = await first!();
  return matches && { serial: matches.serial, pages: pagesOf(matches, others) };
}

async function* pagesOf(first: Matches, others: readonly (() => Promise<Matches | undefined>)[]): Matches['pages'] {
  yield* first.pages;
  for (const search of others) {
    const matches = await search();
    if (matches) yield* matches.pages;
  }
}

/** A search, and where its matches belong among those of other types. */
export interface PlacedSearch {
  readonly position: number;
  run(): Promise<Matches | undefined>;
}

/** Pages in the order of `positionOf`, with the matches of the other searches at their positions, in full pages. */
export function interleaved(
  pages: Matches['pages'],
  positionOf: (object: IndexedObject) => number,
  others: readonly PlacedSearch[],
): Matches['pages'] {
  return others.length === 0 ? pages : inFullPages(placed(pages, positionOf, others));
}

async function* placed(
  pages: Matches['pages'],
  positionOf: (object: IndexedObject) => number,
  others: readonly PlacedSearch[],
): Matches['pages'] {
  const left = [...others];
  for await (const page of pages) {
    let at = 0;
    for (let [next] = left; next !== undefined; [next] = left) {
      const { position } = next;
      const end = page.findIndex((object, index) => index >= at && positionOf(object) > position);
      if (end === -1) break;
      if (end > at) yield page.slice(at, end);
      at = end;
      yield* pagesOfNext(left);
    }
    yield page.slice(at);
  }
  while (left.length > 0) yield* pagesOfNext(left);
}

async function* pagesOfNext(left: PlacedSearch[]): Matches['pages'] {
  const matches = await left.shift()!.run();
  if (matches) yield* matches.pages;
}

/** The same objects in as few pages as hold them, each page at most as large as allowed. */
async function* inFullPages(pages: Matches['pages']): Matches['pages'] {
  let held: readonly IndexedObject[] = [];
  for await (const page of pages) {
    const both = [...held, ...page];
    if (both.length <= maximalPage && charactersOf(both) <= maximalBytes) {
      held = both;
    } else {
      if (held.length > 0) yield held;
      held = page;
    }
  }
  if (held.length > 0) yield held;
}

function charactersOf(objects: readonly IndexedObject[]): number {
  return objects.reduce((sum, { text }) => sum + text.length, 0);
}

/** An empty result, with the serial that it shows. */
export async function noMatches(reader: Reader, source: string): Promise<Matches | undefined> {
  const nothing = await reader.rowsWithSerial(source, {
    plannedOnce: true,
    text: () => 'select where false',
    values: [],
  });
  return nothing && { serial: nothing.serial, pages: (async function* () {})() };
}
