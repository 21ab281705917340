import type { Matches } from '../index-port.js';
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

/** An empty result, with the serial that it shows. */
export async function noMatches(reader: Reader, source: string): Promise<Matches | undefined> {
  const nothing = await reader.rowsWithSerial(source, {
    plannedOnce: true,
    text: () => 'select where false',
    values: [],
  });
  return nothing && { serial: nothing.serial, pages: (async function* () {})() };
}
